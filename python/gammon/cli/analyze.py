"""`gammon analyze ID`: what to play, or whether to double."""

from typing import Annotated, Any, cast

import typer

import gammon
from gammon import Situation, evaluators
from gammon import cube as decisions
from gammon import met as tables
from gammon.cli import cube
from gammon.cli._common import Id, Json, Plies, Threads, emit
from gammon.search import FilterLike, Ranking


def analyze(
    id: Id,
    roll: Annotated[
        str | None, typer.Option(help="The dice, such as 31, where ID names none.", show_default=False)
    ] = None,
    plies: Plies = 2,
    filter: Annotated[
        str, typer.Option(help="Which plays are looked at more deeply: narrow, normal, wide or all.")
    ] = "normal",
    cubeless: Annotated[
        bool, typer.Option("--cubeless", help="Rank plays by cubeless money points.")
    ] = False,
    met: Annotated[str, typer.Option(help="Match equity table: a name or a file.")] = tables.DEFAULT,
    life: Annotated[
        float | None,
        typer.Option(help="Cube life, 0 (dead) to 1 (live); by default by phase.", show_default=False),
    ] = None,
    show: Annotated[int, typer.Option(min=1, help="Plays to print; all of them are ranked.")] = 10,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Rank the plays of the dice thrown, or without dice decide about the cube.

    Plays are judged with the cube and at the score that ID names, unless --cubeless asks otherwise.
    """
    situation = Situation(id)
    dice = situation.roll if roll is None else roll
    evaluator = evaluators.default()
    about: dict[str, Any] = {
        "id": situation.xgid,
        "plies": plies,
        "evaluator": evaluator.id,
        "met": tables.load(met).name if situation.length else None,
    }
    source = f"{plies}-ply, net {evaluator.id[:12]}" + (f", {about['met']}" if about["met"] else "")
    if dice is None:
        decision = decisions.decide(situation, plies=plies, met=met, life=life, threads=threads)
        probs = decisions.chances(situation, plies=plies, threads=threads)
        if as_json:
            emit({**about, "kind": "cube", "probs": list(probs), **cube.fields(decision)})
            return
        typer.echo(situation.draw() + "\n")
        typer.echo(f"{source}; cube life {decision.life:.3f}")
        typer.echo(_heading("") + "\n" + _chances("", list(probs)) + "\n")
        cube.table(decision)
        typer.echo("\n" + (cube.pending_answer(situation, decision) or decision.label))
        return
    ranking = gammon.rank(
        situation,
        dice,
        plies=plies,
        filter=cast(FilterLike, filter),
        cubeful=not cubeless,
        met=met,
        life=life,
        threads=threads,
    )
    if as_json:
        emit(
            {
                **about,
                "kind": "plays",
                "roll": str(ranking.roll),
                "cubeful": not cubeless,
                "filter": filter,
                **_fields(ranking),
            }
        )
        return
    typer.echo(situation.draw() + "\n")
    kind = "cubeless money points" if cubeless else "equities with the cube"
    typer.echo(f"{ranking.roll} to play; {source}, filter {filter}; {kind}")
    _table(ranking, show)


def _fields(ranking: Ranking) -> dict[str, Any]:
    return {
        "is_pass": ranking.is_pass,
        "ties": ranking.ties,
        "plays": [
            {
                "play": str(ranked.play),
                "after": ranked.play.after.id,
                "plies": ranked.plies,
                "equity": ranked.equity,
                "loss": ranked.loss,
                "probs": list(ranked.probs),
            }
            for ranked in ranking
        ],
    }


def _table(ranking: Ranking, show: int) -> None:
    """Print the first plays, their equities and both sides' chances."""
    typer.echo(_heading(f"{'':>3} {'play':<24} {'ply':>3} {'equity':>8} {'loss':>8}"))
    for number, ranked in enumerate(list(ranking)[:show], 1):
        loss = f"{-ranked.loss:+.4f}" if number > 1 else ""
        left = f"{number:>3} {ranked.play!s:<24} {ranked.plies:>3} {ranked.equity:>+8.4f} {loss:>8}"
        typer.echo(_chances(left, list(ranked.probs)))
    if len(ranking) > show:
        typer.echo(f"{len(ranking) - show} more")
    if ranking.ties > 1:
        typer.echo(f"the first {ranking.ties} are exactly equal")


def _heading(left: str) -> str:
    return f"{left}  {'win':>6} {'gammon':>6} {'backg.':>6}  {'lose':>6} {'gammon':>6} {'backg.':>6}"


def _chances(left: str, probs: list[float]) -> str:
    win, gammon, backgammon, lose_gammon, lose_backgammon = (100 * chance for chance in probs)
    mine = f"{win:>6.2f} {gammon:>6.2f} {backgammon:>6.2f}"
    return f"{left}  {mine}  {100 - win:>6.2f} {lose_gammon:>6.2f} {lose_backgammon:>6.2f}"
