"""``scorer web``: the score on phones and on the TV, in a process of its own.

It knows the table's socket and the rules; no device and no store. It may die at any time: the table
does not notice. Nothing here changes a score: what a paired phone presses is passed on to the
table, which knows the phones and judges every press.
"""
