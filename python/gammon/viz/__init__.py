"""Pictures of positions."""

from gammon.viz.svg import board as svg
from gammon.viz.text import board as text

__all__ = ["svg", "text"]
