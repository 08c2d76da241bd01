"""Compiles the templates of a hub; forks of the process that imports this find them compiled."""

from __future__ import annotations

from scorer.hub.wall import Pages

Pages("es-AR")
