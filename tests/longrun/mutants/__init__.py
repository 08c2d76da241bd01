"""``make mutants``: every rule is changed, one at a time, and some test has to turn red.

``tables`` changes the variants, ``code`` the functions of the engine; ``forks`` plays each changed
rule against the tests in a process of its own; ``explained`` reads why some changes change nothing.
"""
