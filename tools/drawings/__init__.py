"""The drawings of the build guide, in its languages: ``make drawings``."""
