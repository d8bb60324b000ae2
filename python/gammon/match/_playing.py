"""Playing a match out: who is to decide is asked, until it is over."""

from collections.abc import Callable, Sequence

from gammon.errors import SettingError
from gammon.match._clock import Clock
from gammon.match._game import Game
from gammon.match._players import Decider, carry_out, seats
from gammon.match._series import Series


def play_match(
    series: Series,
    players: Sequence[Decider],
    *,
    games: int | None = None,
    clock: Clock | None = None,
    time: Callable[[], float] | None = None,
    penalty_reserve: float = 60.0,
    watch: Callable[[Game], object] | None = None,
) -> Series:
    """Play a match, or `games` games of it, and return it; a game that has begun is played on first.

    `players` are asked in turn: engines, people, any function of the game (`Decider`). `watch` is told the
    game after every record; if it answers with something false, but not `None`, the match stops there. With
    a `clock`, `time` gives the time in seconds, every record says what is left, and a fallen flag loses the
    match or costs the points of `Rules.flag_fall`, against a new reserve of `penalty_reserve` seconds.

    Raises `SettingError` if a money session has no number of games, or the clock no time; and what a player's
    choice raises if the rules do not allow it.

    >>> from gammon.match import Engine, Match, play_match
    >>> match = play_match(Match(1, seed=4), (Engine(), Engine()))
    >>> match.is_over, sum(match.score) >= 1
    (True, True)
    """
    if games is None and not series.length:
        raise SettingError("a money session needs the number of games to play")
    if (clock is None) != (time is None):
        raise SettingError("a clock needs a time to be told, and the time a clock")
    both = seats(players)
    played = 0
    while not series.is_over and (games is None or played < games):
        last = series.games[-1] if series.games else None
        game = series.new_game() if last is None or last.is_over else last
        if not _play_game(game, both, clock, time, penalty_reserve, watch):
            return series
        played += 1
    return series


def _play_game(
    game: Game,
    players: tuple[Decider, Decider],
    clock: Clock | None,
    time: Callable[[], float] | None,
    penalty_reserve: float,
    watch: Callable[[Game], object] | None,
) -> bool:
    """Play a game to its end; false if it was stopped."""
    while not game.is_over:
        seat = game.to_act
        if seat is None:
            game.roll()
        elif clock is None or time is None:
            carry_out(game, players[seat](game))
        else:
            _timed(game, players[seat], seat, clock, time, penalty_reserve)
        if watch is not None:
            answer = watch(game)
            if answer is not None and not answer:
                break
    if clock is not None and time is not None:
        clock.stop(time())
    return game.is_over


def _timed(
    game: Game,
    player: Decider,
    seat: int,
    clock: Clock,
    time: Callable[[], float],
    penalty_reserve: float,
) -> None:
    """Let a player decide while his time runs."""
    if clock.running != seat:
        clock.start(seat, time())
    choice = player(game)
    now = time()
    while clock.flagged(now) == seat:
        game.flag(seat, time_left=_left(clock, now))
        if game.is_over:
            return
        clock.grant(seat, penalty_reserve, now)
    before = len(game)
    carry_out(game, choice)
    if game.to_act != seat:
        # The turn ends with it, so that what is given back or added is counted.
        clock.stop(now)
    for index in range(before, len(game)):
        game.note(index, time_left=_left(clock, now))


def _left(clock: Clock, now: float) -> tuple[float, float]:
    return clock.left(0, now), clock.left(1, now)
