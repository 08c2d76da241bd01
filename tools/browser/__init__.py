"""The page with the table in it: ``make table-page`` builds it in build/table.

``page`` has its files, ``pillow`` the stand-in for Pillow that its Python imports.
"""
