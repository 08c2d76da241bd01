"""What a hall shows, as fragments of HTML made from its public documents.

A fragment is the smallest thing that changes: one table of the wall, one match, one row of a
standing. The pages, the static site and the paper compose the same fragments.
"""
