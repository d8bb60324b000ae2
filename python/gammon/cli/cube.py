"""`gammon cube ID`: a cube decision."""

from typing import Annotated, Any

import typer

from gammon import CubeDecision, Situation, evaluators
from gammon import cube as decisions
from gammon import met as tables
from gammon._names import short_id
from gammon.cli._common import Id, Json, Plies, emit
from gammon.errors import SettingError

EQUITIES = ("no_double", "double_take", "double_pass", "double_beaver")
ERRORS = ("missed_double", "wrong_double", "wrong_take", "wrong_pass", "wrong_beaver")


def cube(
    id: Id,
    probs: Annotated[
        str | None,
        typer.Option(
            help="Chances of the player on roll, such as '0.68 0.21 0.01 0.1 0.005': win, win gammon, win "
            "backgammon, lose gammon, lose backgammon. Without them the packaged net evaluates the position, "
            "as deeply as --plies says.",
            show_default=False,
        ),
    ] = None,
    plies: Plies = 0,
    met: Annotated[
        str, typer.Option(help="Match equity table: a name (gammon met list) or a file.")
    ] = tables.DEFAULT,
    life: Annotated[
        float | None,
        typer.Option(
            help="Cube life, 0 (dead) to 1 (live); by default as the phase of the game has it.",
            show_default=False,
        ),
    ] = None,
    matrix: Annotated[
        int | None,
        typer.Option(min=1, max=25, help="Every score up to so many points away.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say whether to double, and whether to take."""
    situation = Situation(id)
    if probs is not None and plies:
        raise SettingError("--plies looks ahead to find chances: give either --probs or --plies")
    if probs is None:
        how = f"evaluation {plies} plies deep" if plies else "static evaluation (0-ply)"
        source = f"{how} by net {short_id(evaluators.default().id)}"
        five = decisions.chances(situation, plies=plies)
    else:
        source = "chances as given"
        five = _numbers(probs)
    if matrix is not None:
        _matrix(situation, matrix, five, met, life, source, as_json)
        return
    decision = decisions.decide(situation, None if plies else five, plies=plies, met=met, life=life)
    points = decisions.points(situation, five, met=met, life=life)
    if as_json:
        names = [name for name in dir(points) if not name.startswith("_")]
        emit(
            {
                "id": situation.xgid,
                "probs": list(five),
                "source": source,
                "met": tables.load(met).name if situation.length else None,
                **fields(decision),
                "points": {name: getattr(points, name) for name in names},
            }
        )
        return
    typer.echo(situation.draw())
    typer.echo("")
    win, wg, wbg, lg, lbg = (f"{100 * chance:.2f}" for chance in five)
    typer.echo(f"win {win} % (gammon {wg}, backgammon {wbg}), lose gammon {lg}, backgammon {lbg}")
    where = f", {tables.load(met).name}" if situation.length else ""
    typer.echo(f"{source}; cube life {decision.life:.3f}{where}")
    typer.echo("")
    table(decision)
    typer.echo("")
    shown = [
        (label, value)
        for label, value in (
            ("take point", points.take),
            ("double point", points.double),
            ("cash point", points.cash),
            ("too good point", points.too_good),
        )
        if value is not None
    ]
    if shown:
        typer.echo(", ".join(f"{label} {100 * value:.1f} %" for label, value in shown))
    pending = pending_answer(situation, decision)
    typer.echo(pending or decision.label)
    if pending is None and decision.wrong_answers_needed is not None:
        wrong = "passes" if decision.answer != "pass" else "takes"
        typer.echo(f"a double would be right with {100 * decision.wrong_answers_needed:.1f} % wrong {wrong}")


def pending_answer(situation: Situation, decision: CubeDecision) -> str | None:
    """Say what to do about an offer that waits for an answer."""
    if situation.offer == "double":
        return f"the double is offered: {decision.answer}"
    if situation.offer == "beaver":
        return f"the beaver is offered: {decision.beaver_reply}"
    return None


def _numbers(text: str) -> tuple[float, float, float, float, float]:
    try:
        win, wg, wbg, lg, lbg = (float(number) for number in text.replace(",", " ").split())
    except ValueError as error:
        raise SettingError(f"--probs must be five numbers, got {text!r}") from error
    return win, wg, wbg, lg, lbg


def fields(decision: CubeDecision) -> dict[str, Any]:
    """Everything about a decision, for JSON."""
    equities = {
        name: getattr(decision, f"{name}_equity") for name in (*EQUITIES, "cubeless", "doubled_cubeless")
    }
    return {
        "life": decision.life,
        "label": decision.label,
        "action": decision.action,
        "answer": decision.answer,
        "beaver_reply": decision.beaver_reply,
        "refusal": decision.refusal,
        "equity": {**equities, "optimal": decision.optimal_equity},
        "mwc": {name: None if value is None else decision.mwc(value) for name, value in equities.items()},
        "errors": {name: getattr(decision, f"{name}_error") for name in ERRORS},
        "optional_double": decision.is_optional_double,
        "optional_take": decision.is_optional_take,
        "close_double": decision.is_close_double,
        "close_take": decision.is_close_take,
        "free_drop": decision.is_free_drop,
        "wrong_answers_needed": decision.wrong_answers_needed,
    }


def table(decision: CubeDecision) -> None:
    """Print the equities of all choices, and what each loses."""
    rows = [
        ("no double", decision.no_double_equity),
        ("double, take", decision.double_take_equity),
        ("double, beaver", decision.double_beaver_equity),
        ("double, pass", decision.double_pass_equity),
    ]
    optimal = decision.optimal_equity
    for name, equity in rows:
        if equity is None:
            continue
        mwc = decision.mwc(equity)
        chance = "" if mwc is None else f"  MWC {100 * mwc:6.2f} %"
        typer.echo(f"{name:<15} {equity:+8.4f} ({equity - optimal:+.4f}){chance}")
    typer.echo(f"{'cubeless':<15} {decision.cubeless_equity:+8.4f}")


def _matrix(
    situation: Situation,
    size: int,
    five: tuple[float, float, float, float, float],
    met: str,
    life: float | None,
    source: str,
    as_json: bool,
) -> None:
    cells = decisions.matrix(situation, size, five, met=met, life=life)
    if as_json:
        rows = [[fields(cell) for cell in row] for row in cells]
        emit({"id": situation.xgid, "probs": list(five), "source": source, "matrix": rows})
        return
    typer.echo(f"{source}; rows: points the player on roll needs; columns: the opponent; 1 is Crawford")
    typer.echo("    " + "".join(f"{away:>4}" for away in range(1, size + 1)))
    for away, row in enumerate(cells, 1):
        typer.echo(f"{away:>4}" + "".join(f"{_short(cell):>4}" for cell in row))
    typer.echo("N no double, D double, G too good; T take, P pass; - no double may be offered")


def _short(decision: CubeDecision) -> str:
    if decision.action is None or decision.answer is None:
        return "-"
    action = {"no double": "N", "double": "D", "too good": "G"}[decision.action]
    return action + {"take": "T", "pass": "P", "beaver": "B"}[decision.answer]
