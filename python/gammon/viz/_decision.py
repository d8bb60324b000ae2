"""A judged decision as a board with arrows, and a table of its choices."""

from gammon._native import Situation
from gammon.analysis import Analysis, Choice, Decision, Mark
from gammon.viz._arrows import Arrow
from gammon.viz._markup import escape
from gammon.viz._scene import Perspective, scene
from gammon.viz._svg import board, framed, layout_of, picture
from gammon.viz._themes import Theme, ThemeLike

__all__ = ["arrows_of", "choice_table", "decision_board", "decision_html", "frame", "shared_board"]

_PERSPECTIVE: Perspective = "decider"


def arrows_of(decision: Decision, mark: Mark) -> list[Arrow]:
    """Return the play that was made and the best one, coloured by how good they are; nothing for the cube."""
    if decision.kind != "play":
        return []
    best: Arrow = (decision.best.name, "best")
    if decision.made.after == decision.best.after:
        return [best]
    return [(decision.made.name, mark or "good"), best]


def decision_board(
    decision: Decision,
    mark: Mark = "",
    *,
    theme: ThemeLike = "light",
    names: tuple[str, str] | None = None,
) -> str:
    """Draw the board before a decision, seen by who decides: the play made and the best one as arrows."""
    arrows = arrows_of(decision, mark)
    return board(decision.id, perspective=_PERSPECTIVE, theme=theme, names=names, arrows=arrows)


# On a page with many boards the empty board is there once.

_FRAME = "board"


def frame(theme: Theme) -> str:
    """Return the empty board that `shared_board` refers to; it shows nothing itself."""
    shown = scene(Situation.from_parts("start"), perspective=_PERSPECTIVE)
    empty = framed(layout_of(shown, "right", pips=True), theme, shown.numbers)
    return (
        '<svg width="0" height="0" style="position:absolute" aria-hidden="true" text-anchor="middle">'
        f'<defs><g id="{_FRAME}">{empty}</g></defs></svg>'
    )


def shared_board(decision: Decision, mark: Mark, *, theme: Theme, names: tuple[str, str]) -> str:
    """Draw the same as `decision_board`, on the empty board of the page."""
    situation = Situation(decision.id)
    shown = scene(situation, perspective=_PERSPECTIVE, names=names)
    return picture(
        shown,
        layout_of(shown, "right", pips=True),
        theme,
        arrows=arrows_of(decision, mark),
        situation=situation,
        pips=True,
        title=None,
        frame=f'<use href="#{_FRAME}"/>',
    )


# Tables.


def choice_table(decision: Decision, caption: str = "") -> str:
    """Return the choices of a decision as an HTML table, what was made in bold."""
    in_match, is_play = decision.mwc_scale is not None, decision.kind == "play"
    columns = [
        *(["ply"] if is_play else []),
        "equity",
        "loss",
        *(["match"] if in_match else []),
        *(["win", "gammon", "lost g."] if is_play else []),
    ]
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("choice", *columns))
    rows = "".join(_row(decision, choice, is_play=is_play) for choice in decision.choices)
    told = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{told}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _row(decision: Decision, choice: Choice, *, is_play: bool) -> str:
    loss = choice.equity - decision.best.equity
    is_answer = "," in choice.name  # what a double leads to, not what the doubler chooses
    cells = [
        *(["rollout" if choice.trials else str(choice.plies)] if is_play else []),
        f"{choice.equity:+.3f}" + ("" if choice.equity_error is None else f" ± {choice.equity_error:.3f}"),
        "" if is_answer or loss >= 0 else f"{loss:+.3f}",
    ]
    chance = decision.mwc(choice.equity)
    if chance is not None:
        cells.append(f"{chance:.2%}")
    if is_play:
        chances = (None,) * 3 if choice.probs is None else (choice.probs[0], choice.probs[1], choice.probs[3])
        cells += ["" if value is None else f"{value:.1%}" for value in chances]
    made = choice.name == decision.made.name
    what = escape(choice.name) + (' <span role="img" aria-label="made">◂</span>' if made else "")
    numbers = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr{" class=made" if made else ""}><th scope="row">{what}</th>{numbers}</tr>'


def decision_html(decision: Decision, analysis: Analysis | None = None) -> str:
    """Return a decision for a notebook: the board, and its choices."""
    mark: Mark = "" if analysis is None else analysis.mark(decision)
    names = None if analysis is None else analysis.players
    return f"<div>{decision_board(decision, mark, names=names)}{choice_table(decision)}</div>"
