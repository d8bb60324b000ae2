"""A rollout as a page of HTML that needs nothing else: the board, the numbers, and how they came about."""

import html
from collections.abc import Iterable

from gammon._names import short_id
from gammon._native import Position, Roll, Situation, build_info
from gammon._situations import standing
from gammon.rollout._comparison import Comparison
from gammon.rollout._decision import CubeResult
from gammon.rollout._estimate import Estimate
from gammon.rollout._result import Result
from gammon.rollout._trace import Trace
from gammon.rollout._variants import VariantComparison, VariantRollout, in_text

__all__ = ["page"]

_STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#222;"
    "background:#fff}table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .75rem;"
    "border-bottom:1px solid #ddd;text-align:right}th:first-child,td:first-child{text-align:left}"
    "svg{max-width:100%;height:auto}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}"
    "dt{color:#666}dd{margin:0;overflow-wrap:anywhere}"
)


def page(
    found: Result | Comparison | CubeResult, trace: Trace | None = None, *, title: str = "Rollout"
) -> str:
    """Return a rollout as a page of HTML, with a picture of its way if it was traced.

    Of another game board and numbers are text.

    >>> from gammon import rollout
    >>> trace = rollout.Trace()
    >>> found = rollout.run("start", rollout.Settings(trials=60, truncate=3), progress=trace)
    >>> rollout.page(found, trace).startswith("<!doctype html>")
    True
    """
    if isinstance(found, VariantRollout | VariantComparison):
        shown = [in_text(found)]
    else:
        shown = [_board(found), _numbers(found)]
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>',
        f"<style>{_STYLE}</style></head><body><h1>{html.escape(title)}</h1>",
        *shown,
    ]
    if trace is not None and found.trials:
        trace(found.part)  # the end, whenever it was told last
        parts += ["<h2>Equity over the trials, with 95 % bands</h2>", trace.svg(_labels(found))]
    parts += [_notes(found), _facts(found), "</body></html>"]
    return "\n".join(parts) + "\n"


def _board(found: Result | Comparison | CubeResult) -> str:
    """Draw the board, with the dice of compared plays, and with score and cube where these count."""
    if isinstance(found, CubeResult):
        shown: Position | Situation = found.situation
    else:
        roll = found.plays[0].play.roll if isinstance(found, Comparison) else None
        shown = _counted(found.part.subject.situation, found.position, roll)
    return f"<figure>{shown._repr_svg_()}</figure>"


def _counted(known: Situation | None, position: Position, roll: Roll | None) -> Position | Situation:
    """Return a position with these dice, and with the score and the cube of the situation known."""
    if known is None:
        return position if roll is None else Situation.from_parts(position, roll=roll)
    return standing(known, position, roll=roll)


def _labels(found: Result | Comparison | CubeResult) -> dict[str, str]:
    if isinstance(found, Comparison):
        return {one.play.after.id: str(one.play) for one in found.plays}
    if isinstance(found, Result):
        return {found.position.id: "equity"}
    return {}


def _numbers(found: Result | Comparison | CubeResult) -> str:
    if not found.trials:
        return "<p>No trial was finished.</p>"
    if isinstance(found, Comparison):
        return _plays(found)
    if isinstance(found, CubeResult):
        return _decision(found)
    return _result(found)


def _result(found: Result) -> str:
    lose = Estimate(1 - found.win.mean, found.win.error)
    rows = [
        ("player on roll", *map(_percent, (found.win, found.win_gammon, found.win_backgammon))),
        ("opponent", *map(_percent, (lose, found.lose_gammon, found.lose_backgammon))),
    ]
    equities = [("equity, cubeless", found.equity), ("with the luck left in", found.raw_equity)]
    if found.cubeful is not None:
        equities.append(("equity, with the cube", found.cubeful))
    lines = [(name, _equity(one), _interval(one)) for name, one in equities]
    if found.mwc is not None:
        lines.append(("match won", _percent(found.mwc), ""))
    return _table(("", "wins", "gammons", "backgammons"), rows) + _table(("", "± 1 error", "95 %"), lines)


def _plays(found: Comparison) -> str:
    best = found.best
    rows = []
    for one in found.ranked:
        win, gammon, _, lose_gammon, _ = one.chances
        gap = best.ahead_of(one)
        behind = "" if one is best else _equity(Estimate(-gap.mean, gap.error))
        rows.append(
            (
                str(one.play),
                _equity(one.equity),
                _interval(one.equity),
                behind,
                _percent(win),
                _percent(gammon),
                _percent(lose_gammon),
                f"{one.trials:,}",
            )
        )
    sure = f"<p>The best play is {found.jsd:.1f} standard errors ahead of the second.</p>"
    head = ("play", "equity", "95 %", "behind", "wins", "gammons won", "gammons lost", "games")
    return _table(head, rows) + (sure if len(found.plays) > 1 else "")


def _decision(found: CubeResult) -> str:
    rows = [("no double", _equity(found.no_double), _interval(found.no_double))]
    if found.double_take is not None:
        rows.append(("double, take", _equity(found.double_take), _interval(found.double_take)))
        rows.append(("double, pass", "+1.0000", ""))
    verdict = found.decision
    return _table(("", "± 1 error", "95 %"), rows) + (
        f"<p><strong>{html.escape(verdict.label)}</strong></p>" if verdict is not None else ""
    )


def _notes(found: Result | Comparison | CubeResult) -> str:
    notes = list(found.notes)
    if not isinstance(found, CubeResult) and found.ignored:
        notes.append(f"Not used: {', '.join(found.ignored)}.")
    return "".join(f"<p>{html.escape(note)}</p>" for note in notes)


def _facts(found: Result | Comparison | CubeResult) -> str:
    settings = found.settings
    facts = {
        "games": f"{found.trials:,}" + ("" if found.complete else f" of {settings.trials:,} asked for"),
        "ended by": found.stopped or ("all games" if found.complete else "hand"),
        "first game, seed": f"{settings.first}, {settings.seed}",
        "turns": "to the end" if settings.truncate is None else f"{settings.truncate}",
        "luck": f"{settings.luck}, measured in one pair of turns of {settings.one_look_in}",
        "dice": f"{settings.strata} strata",
        "plies": f"{settings.plies}, cube {settings.cube_plies}",
        "plays by": short_id(found.evaluator),
        "evaluator": found.evaluator,
        "seconds": f"{found.seconds:.1f}",
        "gammon": str(build_info()["version"]),
    }
    rows = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(fact)}</dd>" for name, fact in facts.items()
    )
    return f"<h2>How</h2><dl>{rows}</dl>"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    def line(cells: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


def _equity(one: Estimate) -> str:
    return f"{one.mean:+.4f} ± {one.error:.4f}"


def _interval(one: Estimate) -> str:
    low, high = one.interval
    return f"{low:+.4f} to {high:+.4f}"


def _percent(one: Estimate) -> str:
    return f"{100 * one.mean:.2f} % ± {100 * one.error:.2f}"
