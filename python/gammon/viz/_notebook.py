"""What notebooks show instead of a line of text: boards, tables, graphs."""

from collections.abc import Iterable, Sequence

from gammon._native import CubeDecision, Play, Ranking, Situation
from gammon.analysis import Analysis
from gammon.match import Game, Series
from gammon.rollout import Comparison, CubeResult, Result
from gammon.viz._charts import course_chart
from gammon.viz._markup import escape
from gammon.viz._report_tables import summary, table
from gammon.viz._svg import board
from gammon.viz._themes import THEMES

__all__ = [
    "analysis",
    "comparison",
    "cube_decision",
    "cube_rollout",
    "game",
    "play",
    "ranking",
    "rollout",
    "series",
    "situation",
]

_SHOWN = 10
"""Plays that are listed."""

_SIDES = ("wins", "gammons", "backgammons")


def situation(shown: Situation) -> str:
    """Draw the board of a situation."""
    return board(shown)


def play(shown: Play) -> str:
    """Draw the board before a play, and the play as arrows."""
    return board(Situation.from_parts(shown.before, roll=shown.roll), arrows=[shown])


def _page(*parts: str) -> str:
    return f"<div>{''.join(parts)}</div>"


def _note(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def ranking(shown: Ranking) -> str:
    """Show the board with the best play, and the first plays with their equities and chances."""
    rows = [
        [
            str(ranked.play),
            f"{ranked.equity:+.4f}",
            "" if number == 0 else f"{-ranked.loss:+.4f}",
            str(ranked.plies),
            *(f"{ranked.probs[index]:.1%}" for index in (0, 1, 3)),
        ]
        for number, ranked in enumerate(list(shown)[:_SHOWN])
    ]
    heads = ("play", "equity", "loss", "plies", "win", "gammon", "lost gammon")
    more = len(shown) - len(rows)
    best = shown.best.play
    drawn = board(Situation.from_parts(shown.before, roll=shown.roll), arrows=[(best, "best")])
    caption = f"{shown.roll}{f', {more} more plays' if more > 0 else ''}"
    return _page(drawn, table(caption, heads, rows))


def cube_decision(shown: CubeDecision) -> str:
    """Show what doubling and not doubling are worth, and what is right."""
    equities = (
        ("no double", shown.no_double_equity),
        ("double, take", shown.double_take_equity),
        ("double, pass", shown.double_pass_equity),
        ("double, beaver", shown.double_beaver_equity),
    )
    known = [(name, equity, shown.mwc(equity)) for name, equity in equities if equity is not None]
    rows = [
        [name, f"{equity:+.4f}", *([] if chance is None else [f"{chance:.2%}"])]
        for name, equity, chance in known
    ]
    heads = ("", "equity", "match won")[: len(rows[0])]
    return _page(table(shown.label, heads, rows))


# Matches and what is made of them.


def game(shown: Game) -> str:
    """Show how a game stands, seen by seat 1, and what has become of it."""
    return _page(board(shown.situation, perspective="absolute"), _note(f"{shown!r}"[1:-1]))


def series(shown: Series) -> str:
    """List the games of a match or session."""
    rows = []
    for one in shown.games:
        result = one.result
        ended = "not finished"
        if result is not None:
            ended = "nobody" if result.winner is None else f"{shown.label(result.winner)} {result.points}"
        score = f"{one.score[0]}–{one.score[1]}"
        plays = sum(record.kind == "play" for record in one.records)
        rows.append([str(one.number), score + (" Crawford" if one.crawford else ""), ended, str(plays)])
    return _page(table(repr(shown)[1:-1], ("game", "score", "won", "plays"), rows))


def analysis(shown: Analysis) -> str:
    """Show how both players played, and the course of the match."""
    return _page(summary(shown), course_chart(shown, THEMES["light"]))


# Rollouts.


def rollout(shown: Result) -> str:
    """Show the board and what a rollout found."""
    drawn = board(shown.position)
    if not shown.trials:
        return _page(drawn, _note(str(shown)))
    mine = (shown.win, shown.win_gammon, shown.win_backgammon)
    theirs = (shown.lose_gammon, shown.lose_backgammon)
    rows = [
        ["player on roll", *(f"{one.mean:.2%}" for one in mine)],
        ["± one standard error", *(f"{one.error:.2%}" for one in mine)],
        ["opponent", f"{1 - shown.win.mean:.2%}", *(f"{one.mean:.2%}" for one in theirs)],
        ["± one standard error", f"{shown.win.error:.2%}", *(f"{one.error:.2%}" for one in theirs)],
    ]
    return _page(drawn, table(f"equity {shown.equity}", ("", *_SIDES), rows), *_last_lines(str(shown), 4))


def comparison(shown: Comparison) -> str:
    """Show the board with the best play, and all plays that were rolled out."""
    if not shown.trials:
        return _page(board(shown.position), _note(str(shown)))
    best = shown.best
    rows = []
    for number, one in enumerate(shown.ranked):
        behind = "" if number == 0 else f"−{best.ahead_of(one)}"
        chances = [f"{chance.mean:.1%}" for chance in (one.chances[0], one.chances[1], one.chances[3])]
        rows.append([str(one.play), str(one.equity), behind, *chances])
    heads = ("play", "equity", "behind", "win", "gammon", "lost gammon")
    before = Situation.from_parts(best.play.before, roll=best.play.roll)
    drawn = board(before, arrows=[(best.play, "best")])
    return _page(
        drawn, table(f"{shown.trials:,} games each", heads, rows), *_last_lines(str(shown), len(rows))
    )


def cube_rollout(shown: CubeResult) -> str:
    """Show the board and what was found about the cube."""
    drawn = board(shown.situation)
    decision, take = shown.decision, shown.double_take
    if decision is None:
        return _page(drawn, _note(str(shown)))
    rows = [["no double", str(shown.no_double)]]
    if take is not None:
        rows += [["double, take", str(take)], ["double, pass", "1"]]
    return _page(drawn, table(decision.label, ("", "equity"), rows), *_last_lines(str(shown), len(rows) + 1))


def _last_lines(text: str, skipped: int) -> Iterable[str]:
    """Return what a text says below its table."""
    lines: Sequence[str] = text.splitlines()[skipped:]
    return map(_note, lines)
