"""Where everything on a board is, in pixels."""

from dataclasses import dataclass

POINT, CHECKER, TRAY, BAR, EDGE, CUBE, STRIP = 40, 36, 46, 44, 22, 46, 24
"""Widths of a point, a checker, the tray, the bar, the rim and the cube's column; height of what is written
above and below."""

ROWS = 5
"""Checkers that are drawn of a stack; a digit says how many there are if there are more."""

HALF = ROWS * CHECKER + 26
"""Height of one half of the board: five checkers and some air."""

_FLAT = 11
"""Height of a checker that lies in the tray."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of one picture; points are numbered by the player at the bottom, 25 being his bar."""

    home: str
    """On which side the home boards are: 'right' or 'left'."""
    has_cube: bool
    has_strips: bool

    @property
    def left(self) -> int:
        """Where the first point begins, home being on the right."""
        return EDGE + (CUBE if self.has_cube else 0)

    @property
    def right(self) -> int:
        """Where the last point ends."""
        return self.left + 12 * POINT + BAR

    @property
    def width(self) -> int:
        """Width of the picture."""
        return self.right + TRAY + EDGE

    @property
    def top(self) -> int:
        """Where the points at the top begin."""
        return EDGE + (STRIP if self.has_strips else 0)

    @property
    def bottom(self) -> int:
        """Where the points at the bottom begin."""
        return self.top + 2 * HALF

    @property
    def middle(self) -> int:
        """The height between the halves."""
        return self.top + HALF

    @property
    def height(self) -> int:
        """Height of the picture."""
        return self.bottom + EDGE + (STRIP if self.has_strips else 0)

    def across(self, x: float) -> float:
        """Return where something is that has its middle at `x` with home on the right."""
        return x if self.home == "right" else self.width - x

    def box(self, x: float, width: float) -> float:
        """Return where something begins that begins at `x` with home on the right."""
        return x if self.home == "right" else self.width - x - width

    def point(self, point: int) -> float:
        """Return the middle of a point: 12 to 1 lie along the bottom, 1 nearest to home."""
        column = 12 - point if point <= 12 else point - 13
        return self.across(self.left + column * POINT + POINT / 2 + (BAR if column >= 6 else 0))

    @property
    def bar(self) -> float:
        """The middle of the bar."""
        return self.across(self.left + 6 * POINT + BAR / 2)

    @property
    def tray(self) -> float:
        """The middle of the tray."""
        return self.across(self.right + TRAY / 2 + 2)

    def checker(self, point: int, row: int, *, own: bool = True) -> tuple[float, float]:
        """Return the middle of a checker, the first of its point being in row 0.

        Points are those of the player at the bottom for either player; 25 and 0 are the bar and the tray of
        whose checker it is.
        """
        up = own if point in (0, 25) else point <= 12
        if point == 0:
            depth = _FLAT * (row + 0.5) + 1
            return self.tray, self.bottom - depth if up else self.top + depth
        depth = CHECKER * (min(row, ROWS - 1) + 0.5)
        x = self.bar if point == 25 else self.point(point)
        return x, self.bottom - depth if up else self.top + depth

    @property
    def flat(self) -> tuple[float, float]:
        """Width and height of a checker in the tray."""
        return TRAY - 12, _FLAT - 1
