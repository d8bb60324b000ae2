"""Pictures of positions. Plain text is `str(position)`."""

from gammon.viz._svg import board as svg

__all__ = ["svg"]
