"""``scorer web``: the score on phones and on the TV, in a process of its own.

It knows the table's socket and the rules; no device and no store. It may die at any time: the table
does not notice. Nothing here can change a score.
"""
