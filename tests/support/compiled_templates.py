"""Compiles the templates of a hub, for the forks of the importing process."""

from __future__ import annotations

from scorer.hub.wall import Pages

Pages("es-AR")
