"""The documentation site: ``make site`` builds and checks it in build/site.

Run with ``python -m tools.site`` in an environment that has the extra ``site``.
"""
