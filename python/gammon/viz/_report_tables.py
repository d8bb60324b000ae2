"""The tables of a report, and what is said above and below them."""

from collections.abc import Iterator, Sequence
from typing import get_args

from gammon._names import short_id
from gammon._native import build_info
from gammon._typing import Phase
from gammon.analysis import Analysis, Kind
from gammon.match import Series
from gammon.viz._markup import escape

__all__ = ["about", "by_game", "by_phase", "jokers", "legend", "notes", "summary", "table"]

_KINDS: tuple[tuple[Kind, str], ...] = (
    ("play", "Plays"),
    ("double", "Doubling decisions"),
    ("answer", "Answers to doubles"),
)


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts; a row of one cell is a heading for those below it."""
    columns = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        f'<tr class="group"><th colspan="{len(heads)}" scope="colgroup">{escape(row[0])}</th></tr>'
        if len(row) == 1
        else f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    head = f"<caption>{escape(caption)}</caption><thead><tr>{columns}</tr></thead>"
    return f"<table>{head}<tbody>{body}</tbody></table>"


def about(analysis: Analysis, match: Series | None) -> Iterator[str]:
    """Say where and when it was played, how it ended and how it was judged."""
    if match is not None:
        known = (match.event, match.round, match.place, match.date)
        where = " · ".join(text for text in known if text)
        if where:
            yield f"<p>{escape(where)}</p>"
    yield f"<p>{escape(_outcome(analysis))}</p>"
    judged = f"Judged by gammon {build_info()['version']}: {_settings(analysis)}."
    yield f'<p class="muted">{escape(judged)}</p>'
    if not analysis.is_complete:
        yield '<p class="notice">The analysis was stopped: not everything has been judged.</p>'
    if match is not None and match.comment:
        yield f"<blockquote>{escape(match.comment)}</blockquote>"


def _outcome(analysis: Analysis) -> str:
    games = analysis.games
    if not games:
        return "No games."
    score = list(games[-1].score)
    if games[-1].winner is not None:
        score[games[-1].winner] += games[-1].points
    count = f"{len(games)} game{'s' if len(games) > 1 else ''}"
    first, second = (f"{analysis.label(seat)} {score[seat]:g}" for seat in (0, 1))
    return f"{first}, {second} after {count}"


def _settings(analysis: Analysis) -> str:
    settings = analysis.settings
    parts = [
        f"{settings.plies}-ply",
        f"filter {settings.filter}",
        f"evaluator {short_id(settings.evaluator)}",
    ]
    if settings.met:
        parts.append(f"match equity table {settings.met}")
    if settings.luck_plies is not None:
        parts.append(f"luck {settings.luck_plies}-ply")
    if settings.close is not None:
        parts.append(f"decisions within {settings.close:g} rolled out")
    return ", ".join(parts)


def summary(analysis: Analysis) -> str:
    """Return how both played, overall and by kind of decision."""
    thresholds = analysis.settings.thresholds
    marks = (
        ("doubtful", thresholds.doubtful),
        ("bad", thresholds.bad),
        ("very bad", thresholds.very_bad),
    )
    rows: list[list[str]] = [["Ratings"]]
    for rule, name in (
        ("xg", "PR (as eXtreme Gammon)"),
        ("gnubg", "Error rate (as GNU Backgammon)"),
        ("snowie", "Error rate (as Snowie)"),
    ):
        ratings = [analysis.rating(seat, rule) for seat in (0, 1)]
        rows.append([name, *("–" if one.value is None else f"{one.value:.2f} {one.name}" for one in ratings)])
    for kind, name in (*_KINDS, (None, "All decisions")):
        totals = [analysis.totals(seat, kind=kind) for seat in (0, 1)]
        rows.append([name])
        rows.append(["made, of them forced", *(f"{one.decisions}, {one.forced}" for one in totals)])
        rows += [
            [f"{mark} (from {bound:g})", *(str(one.marks[mark]) for one in totals)]  # type: ignore[index]
            for mark, bound in marks
        ]
        rows.append(["lost", *(_both(one.error, one.error_mwc) for one in totals)])
    if analysis.luck:
        luck = [analysis.luck_totals(seat) for seat in (0, 1)]
        rows.append(["Luck"])
        rows.append(["of all rolls", *(_both(one.equity, one.mwc, sign="+") for one in luck)])
        unit = "{:+.2%}" if analysis.length else "{:+.3f} points"
        rows.append(["result", *(unit.format(value) for value in analysis.result)])
        adjusted = [analysis.luck_adjusted(seat) for seat in (0, 1)]
        rows.append(["luck-adjusted result", *(unit.format(value) for value in adjusted)])
    heads = ("", analysis.label(0), analysis.label(1))
    return table("How both played", heads, rows)


def _both(equity: float, mwc: float | None, sign: str = "") -> str:
    return f"{equity:{sign}.3f}" + ("" if mwc is None else f" ({mwc:{sign}.2%})")


def by_game(analysis: Analysis) -> str:
    """Return score, result and errors of each game."""
    rows = []
    for game, found in enumerate(analysis.games):
        won = "–" if found.winner is None else f"{analysis.label(found.winner)} {found.points:g}"
        score = f"{found.score[0]:g}–{found.score[1]:g}"
        errors = [f"{analysis.totals(seat, game=game).error:.3f}" for seat in (0, 1)]
        ratings = [analysis.rating(seat, game=game).value for seat in (0, 1)]
        told = ["–" if value is None else f"{value:.1f}" for value in ratings]
        rows.append([str(found.number), score, won, *errors, *told])
    names = [analysis.label(seat) for seat in (0, 1)]
    heads = ("game", "score", "won", *(f"{name} lost" for name in names), *(f"{name} PR" for name in names))
    return table("By game", heads, rows)


def by_phase(analysis: Analysis) -> str:
    """Return decisions and errors in each kind of position."""
    rows = []
    for phase in get_args(Phase):
        totals = [analysis.totals(seat, phase=phase) for seat in (0, 1)]
        if any(one.decisions for one in totals):
            rows.append(
                [phase, *(text for one in totals for text in (str(one.decisions), f"{one.error:.3f}"))]
            )
    names = [analysis.label(seat) for seat in (0, 1)]
    heads = ("", *(text for name in names for text in (f"{name} decided", "lost")))
    return table("By kind of position", heads, rows)


_JOKERS = 6


def jokers(analysis: Analysis) -> str:
    """Return the rolls that brought most."""
    rolls = sorted(analysis.luck, key=lambda roll: -(roll.equity if roll.mwc is None else roll.mwc))[:_JOKERS]
    rows = [
        [
            roll.roll,
            analysis.label(roll.player),
            str(analysis.games[roll.game].number),
            _both(roll.equity, roll.mwc, sign="+"),
        ]
        for roll in rolls
    ]
    return table("Luckiest rolls", ("roll", "of", "game", "luck"), rows)


def legend(analysis: Analysis) -> str:
    """Say what the signs in the graph and the arrows on the boards mean."""
    thresholds = analysis.settings.thresholds
    entries = (
        ("best", "best play"),
        ("doubtful", f"● doubtful, from {thresholds.doubtful:g}"),
        ("bad", f"▲ bad, from {thresholds.bad:g}"),
        ("very-bad", f"■ very bad, from {thresholds.very_bad:g}"),
    )
    spans = "".join(f'<span><i class="swatch {name}"></i>{escape(text)}</span>' for name, text in entries)
    return f'<p class="legend muted">{spans}</p>'


def notes(analysis: Analysis) -> Iterator[str]:
    """Say what the numbers are, and what could not be judged."""
    if analysis.skipped:
        items = "".join(
            f"<li>{escape(f'game {analysis.games[one.game].number}, record {one.record}: {one.reason}')}</li>"
            for one in analysis.skipped
        )
        yield f"<h2>Not judged</h2><ul>{items}</ul>"
    yield (
        '<p class="muted">Equities are per unit of the cube, normalised in a match: winning what the cube '
        "shows is 1, losing it −1. Boards are seen by the player who decides, who has the light checkers. "
        "Luck is the value of a roll's best play less the mean over all 21 rolls.</p>"
    )
