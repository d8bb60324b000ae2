"""Pictures of positions. Plain text is `str(position)`."""

from gammon.viz._svg import board as svg

__all__ = ["svg"]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
