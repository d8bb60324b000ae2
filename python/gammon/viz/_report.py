"""The report of a match: one HTML file with everything in it, that asks nothing of any other."""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import fields
from typing import get_args

from gammon._data import packaged
from gammon.analysis import Analysis, Decision, Kind
from gammon.errors import SettingError
from gammon.match import Game, Series
from gammon.viz import _report_tables as tables
from gammon.viz._charts import bar_chart, course_chart
from gammon.viz._decision import choice_table, frame, shared_board
from gammon.viz._markup import escape
from gammon.viz._points import Place, bin_labels, error_counts, place_of, swings
from gammon.viz._report_moves import game_details
from gammon.viz._themes import THEMES, Theme

__all__ = ["report"]

LEAST = 0.02
"""From which size on an error has its board, if nothing else is asked for."""

_STEPS = (0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32)
"""Sizes to choose from."""

_KINDS: dict[Kind, str] = {"play": "plays", "double": "doubling", "answer": "answers"}


def _variable(name: str) -> str:
    return f"--{name.replace('_', '-')}"


_THEME = Theme(**{field.name: f"var({_variable(field.name)})" for field in fields(Theme)})
"""Colours that the page fills in, light or dark."""


def report(
    analysis: Analysis, match: Series | Game | None = None, *, least: float = LEAST, title: str | None = None
) -> str:
    """Return the report of an analysis as one HTML page: boards, tables, graphs, filters, light and dark.

    The page needs nothing else, no network and no script to be read; the script in it filters errors by
    size, player, kind and game. Errors from `least` on have their boards. With the `match` that was analysed
    it also has event, place and date, comments, and all moves. What names and comments hold is only ever
    text.

    Raises `SettingError` for a `least` that is not above 0, a title that is no text, or another match.

    >>> from gammon import viz
    >>> from gammon.analysis import analyse
    >>> from gammon.match import Engine, Match, play_match
    >>> match = play_match(Match(1, ("A", "B"), seed=8), (Engine(), Engine(noise=0.3)))
    >>> page = viz.report(analyse(match, plies=0), match)
    >>> page.startswith("<!DOCTYPE html>"), page.count("<article") > 3
    (True, True)
    """
    if not (isinstance(least, int | float) and least > 0):
        raise SettingError(f"least must be above 0, got {least!r:.120}")
    if not (title is None or isinstance(title, str)):
        raise SettingError(f"title must be a text, got {title!r:.120}")
    games = _games(analysis, match)
    series = match if isinstance(match, Series) else None
    errors = [decision for decision in analysis if decision.error >= least]
    links = {place_of(decision): f"e{number}" for number, decision in enumerate(errors)}
    heading = _heading(analysis) if title is None else title
    script, style = _asset("report.js"), _colours() + _asset("report.css")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    body = [
        '<a class="skip" href="#mistakes">Skip to the errors</a>',
        frame(_THEME),
        '<div class="bar-top"><button id="theme" type="button" aria-pressed="false" hidden>'
        "Light or dark</button></div>",
        f"<header><h1>{escape(heading)}</h1>{''.join(tables.about(analysis, series))}</header>",
        "<main>",
        *_overview(analysis, links),
        *_errors(analysis, errors, games, least),
        *_moves(analysis, games, links),
        "</main>",
        f"<footer>{''.join(tables.notes(analysis))}</footer>",
    ]
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(heading)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + f"\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _games(analysis: Analysis, match: Series | Game | None) -> tuple[Game, ...]:
    """Return the games that were analysed; none if they are not given."""
    if match is None:
        return ()
    games = (match,) if isinstance(match, Game) else match.games
    numbers = [game.number for game in games]
    if numbers != [summary.number for summary in analysis.games]:
        raise SettingError(f"this is not the match that was analysed: its games are {numbers!r:.120}")
    return games


def _heading(analysis: Analysis) -> str:
    kind = f"{analysis.length}-point match" if analysis.length else "money session"
    return f"{analysis.label(0)} – {analysis.label(1)}, {kind}"


def _asset(name: str) -> str:
    return packaged("report", name).read_text(encoding="utf-8")


def _colours() -> str:
    """The themes as variables: the light one, the dark one where that is wanted, that for paper in print."""
    light, dark, paper = (
        ";".join(f"{_variable(field.name)}:{getattr(THEMES[name], field.name)}" for field in fields(Theme))
        for name in ("light", "dark", "print")
    )
    return (
        f":root{{{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f":root[data-theme=dark]{{{dark}}}\n"
        f"@media print{{:root:root:root{{{paper}}}}}\n"
    )


# The parts of the page.


def _overview(analysis: Analysis, links: dict[Place, str]) -> Iterator[str]:
    yield '<section aria-labelledby="summary"><h2 id="summary">Summary</h2>'
    yield f'<div class="wide">{tables.summary(analysis)}</div>'
    yield f"<figure>{course_chart(analysis, _THEME, links=links)}</figure>"
    yield tables.legend(analysis)
    yield '<div class="columns">'
    yield f'<div class="wide">{tables.by_game(analysis)}</div>'
    yield f'<div class="wide">{tables.by_phase(analysis)}</div>'
    yield "</div>"
    seats = ((0, _THEME.first), (1, _THEME.second))
    counts = [(analysis.label(seat), colour, error_counts(analysis, seat)) for seat, colour in seats]
    yield "<h3>Errors by size</h3><figure>"
    yield bar_chart("Errors by size", bin_labels(), counts, "{:g}".format, _THEME)
    yield "</figure>"
    if analysis.luck:
        yield from _luck(analysis)
    yield "</section>"


def _luck(analysis: Analysis) -> Iterator[str]:
    found = swings(analysis)
    unit = "match winning chances" if analysis.length else "points"
    say = "{:+.1%}".format if analysis.length else "{:+.3f}".format
    name = analysis.label(0)
    yield f"<h3>Luck and play of {escape(name)}, by game, in {unit}</h3><figure>"
    series = [
        ("luck, less the opponent's", _THEME.doubtful, [swing.luck for swing in found]),
        ("play: the opponent's errors less his", _THEME.first, [swing.skill for swing in found]),
    ]
    labels = [swing.label for swing in found]
    yield bar_chart(f"Luck and play of {name} by game", labels, series, say, _THEME)
    yield f'</figure><div class="wide">{tables.jokers(analysis)}</div>'


def _errors(
    analysis: Analysis, errors: list[Decision], games: tuple[Game, ...], least: float
) -> Iterator[str]:
    yield '<section aria-labelledby="mistakes"><h2 id="mistakes">Errors</h2>'
    yield f"<p>{len(errors)} decisions that lost {least:g} or more, the worst first.</p>"
    yield from _filters(analysis, least)
    yield '<div id="errors">'
    turns = _turns(analysis)
    worst = sorted(enumerate(errors), key=lambda one: -one[1].error)
    for number, decision in worst:
        yield from _error(analysis, decision, number, turns[place_of(decision)], games)
    yield "</div></section>"


def _turns(analysis: Analysis) -> dict[Place, int]:
    """Return which turn of its game each decision belongs to, from 1."""
    turns: dict[Place, int] = {}
    game, turn = -1, 1
    for decision in analysis:
        if decision.game != game:
            game, turn = decision.game, 1
        turns[place_of(decision)] = turn
        turn += decision.kind == "play"
    return turns


def _filters(analysis: Analysis, least: float) -> Iterator[str]:
    thresholds = analysis.settings.thresholds
    steps = sorted({least, *(step for step in (*_STEPS, thresholds.doubtful) if step > least)})
    chosen = max(step for step in steps if step <= max(thresholds.doubtful, least))
    sizes = "".join(
        f'<option value="{step:g}"{" selected" if step == chosen else ""}>{step:g}</option>' for step in steps
    )
    games = "".join(
        f'<option value="{place}">{summary.number}</option>' for place, summary in enumerate(analysis.games)
    )
    players = "".join(_box("player", str(seat), analysis.label(seat)) for seat in (0, 1))
    kinds = "".join(_box("kind", kind, _KINDS[kind]) for kind in get_args(Kind))
    yield '<form id="filter" aria-label="Which errors are shown" hidden>'
    yield f'<label>at least <select name="least">{sizes}</select></label>'
    yield f"<fieldset><legend>by</legend>{players}</fieldset>"
    yield f"<fieldset><legend>of</legend>{kinds}</fieldset>"
    yield f'<label>game <select name="game"><option value="">all</option>{games}</select></label>'
    yield (
        '<label>order <select name="sort"><option value="size">worst first</option>'
        '<option value="order">as played</option></select></label>'
    )
    yield '<output id="told" aria-live="polite"></output></form>'


def _box(name: str, value: str, label: str) -> str:
    return f'<label><input type="checkbox" name="{name}" value="{value}" checked> {escape(label)}</label>'


def _error(
    analysis: Analysis, decision: Decision, number: int, turn: int, games: tuple[Game, ...]
) -> Iterator[str]:
    mark = analysis.mark(decision)
    who = analysis.label(decision.player)
    lost = f"{decision.error:.3f}"
    if decision.error_mwc is not None:
        lost += f" ({decision.error_mwc:.2%} of the match)"
    place = f"Game {analysis.games[decision.game].number}, turn {turn}"
    word = f", {mark}" if mark else ""
    yield (
        f'<article class="error {mark.replace(" ", "-")}" id="e{number}" data-order="{number}" '
        f'data-error="{decision.error:.6f}" data-player="{decision.player}" data-kind="{decision.kind}" '
        f'data-game="{decision.game}" data-phase="{decision.phase}">'
    )
    yield f"<h3>{escape(f'{place}: {who} lost {lost}{word}')}</h3>"
    yield '<div class="columns"><figure>'
    yield shared_board(decision, mark, theme=_THEME, names=analysis.players)
    yield '</figure><div class="choices"><div class="wide">'
    yield choice_table(decision)
    yield f"</div><p>{escape(f'{decision.made.name}; better {decision.best.name}.')} {_depth(decision)}</p>"
    if games:
        record = games[decision.game].records[decision.record]
        if record.comment:
            yield f"<blockquote>{escape(record.comment)}</blockquote>"
    yield f"<code>{escape(decision.id)}</code></div></div></article>"


def _depth(decision: Decision) -> str:
    choice = decision.best
    return f"Rolled out, {choice.trials} games." if choice.trials else f"{choice.plies}-ply."


def _moves(analysis: Analysis, games: tuple[Game, ...], links: dict[Place, str]) -> Iterator[str]:
    if not games:
        return
    yield '<section aria-labelledby="moves"><h2 id="moves">All moves</h2>'
    for place, game in enumerate(games):
        yield from game_details(analysis, place, game, links)
    yield "</section>"
