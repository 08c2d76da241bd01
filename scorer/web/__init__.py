"""``scorer web``: the score on phones and on the TV, in a process of its own.

A client of the table's socket; the table works without it. It changes no score itself: presses of
paired phones are forwarded to the table, which authenticates and judges them.
"""
