"""One-bit pictures in place of Pillow: the calls that screens of panels make.

A call that is not here fails; tests/tools/browser draws every screen with it.
"""
