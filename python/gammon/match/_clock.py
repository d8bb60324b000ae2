"""Clocks: reserves of time, delays and falling flags.

A clock does not read the time: it is told, in seconds from any moment on, so that a match on it can be
replayed.
"""

from dataclasses import dataclass
from typing import Literal

from gammon.errors import SettingError


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How time is measured.

    With a simple delay the reserve starts to run only after the delay. With Bronstein's it runs at once, and
    when the turn ends the time used is given back, up to the delay. Fischer's adds the whole delay when a
    turn ends.

    Raises `SettingError` for an unknown kind or a negative time.

    >>> from gammon.match import TimeControl
    >>> TimeControl.standard(7)
    TimeControl(kind='simple_delay', reserve=840.0, delay=12.0)
    """

    kind: Literal["simple_delay", "bronstein", "fischer"]
    reserve: float
    """Seconds each player has for the match."""
    delay: float = 0.0
    """Seconds of each turn that do not count, or are given back or added."""

    def __post_init__(self) -> None:
        if self.kind not in ("simple_delay", "bronstein", "fischer"):
            raise SettingError(f"kind must be simple_delay, bronstein or fischer, got {self.kind!r}")
        if not (self.reserve > 0 and self.delay >= 0):
            raise SettingError(
                f"reserve must be above 0 and delay not below, got {self.reserve} and {self.delay}"
            )

    @staticmethod
    def standard(
        length: int,
        score: tuple[int, int] = (0, 0),
        *,
        kind: Literal["simple_delay", "bronstein", "fischer"] = "simple_delay",
        per_point: float = 120.0,
        per_point_scored: float = 60.0,
        delay: float = 12.0,
    ) -> "TimeControl":
        """Return the usual control of tournaments: 2 minutes a point and 12 seconds a turn.

        A clock introduced late has a minute less for every point scored by either side. Teams have 2.5
        minutes a point, 1.25 less for each scored, and 18 seconds. (Unified clock rules, Backgammon Galore.)
        """
        reserve = per_point * length - per_point_scored * sum(score)
        return TimeControl(kind, reserve, delay)


class Clock:
    """The time of two players. Every time given to it is in seconds and must not run backwards.

    >>> from gammon.match import Clock, TimeControl
    >>> clock = Clock(TimeControl("simple_delay", reserve=60, delay=12))
    >>> clock.start(0, now=0)
    >>> clock.press(now=20)  # 12 seconds are free
    >>> clock.left(0, now=20), clock.left(1, now=25), clock.flagged(now=25)
    (52.0, 60.0, None)
    """

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self._left = [float(control.reserve), float(control.reserve)]
        self._running: int | None = None
        self._since = 0.0

    @property
    def running(self) -> int | None:
        """The seat whose time runs; `None` if the clock stands."""
        return self._running

    def start(self, seat: int, now: float) -> None:
        """Let the time of a seat run, with a delay of its own; a turn of the other ends with it.

        Raises `SettingError` for a seat that is none or a time before the last one.
        """
        if seat not in (0, 1):
            raise SettingError(f"seat must be 0 or 1, got {seat}")
        self.stop(now)
        self._running = seat
        self._since = now

    def press(self, now: float) -> None:
        """End the turn of the player whose time runs; the other's begins.

        Raises `SettingError` if the clock stands.
        """
        if self._running is None:
            raise SettingError("the clock stands: start it first")
        self.start(1 - self._running, now)

    def stop(self, now: float) -> None:
        """End the turn of the player whose time runs, if one does; nobody's runs."""
        if self._running is None:
            return
        seat = self._running
        left = self.left(seat, now)
        used = now - self._since
        if self.control.kind == "bronstein":
            left += min(used, self.control.delay)
        elif self.control.kind == "fischer":
            left += self.control.delay
        self._left[seat] = left
        self._running = None

    def left(self, seat: int, now: float) -> float:
        """Return the seconds of reserve a seat has left; 0 or less means that its flag has fallen."""
        if self._running != seat:
            return self._left[seat]
        used = now - self._since
        if used < 0:
            raise SettingError(f"time runs forwards: {now} is before {self._since}")
        if self.control.kind == "simple_delay":
            used = max(0.0, used - self.control.delay)
        return self._left[seat] - used

    def flagged(self, now: float) -> int | None:
        """Return the seat whose reserve has run out; `None` while neither's has."""
        return next((seat for seat in (0, 1) if self.left(seat, now) <= 0), None)

    def grant(self, seat: int, seconds: float, now: float) -> None:
        """Give a seat a new reserve, as after its flag has fallen; its turn goes on without a delay."""
        self._left[seat] = float(seconds)
        if self._running == seat:
            self._since = now - (self.control.delay if self.control.kind == "simple_delay" else 0.0)
