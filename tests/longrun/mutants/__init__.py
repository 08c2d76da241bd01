"""``make mutants``: mutation testing of the rules; each change must fail a test.

``tables`` changes the variants, ``code`` the functions of the engine; ``forks`` runs the tests
against each change in its own process; ``survivors`` reads why some changes are undetectable.
"""
