"""Development programs; not installed with the package."""
