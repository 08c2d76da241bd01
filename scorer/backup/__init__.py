"""Backup, restore and export of the games in a store."""
