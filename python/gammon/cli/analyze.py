"""`gammon analyze ID` and `gammon analyze FILE...`: decisions and whole matches judged."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

import gammon
from gammon import Situation, evaluators, rollout
from gammon import cube as decisions
from gammon import met as tables
from gammon._names import short_id
from gammon.cli import cube
from gammon.cli._common import Json, Plies, Threads, emit, file_name, situations
from gammon.cli._matches import Report, analyze_files, is_about_matches, thresholds
from gammon.cli._pages import Pages
from gammon.errors import SettingError
from gammon.search import FilterLike, Ranking, ScoreTable


def analyze(
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID|FILE",
            help="An identifier, 'start', a file with an identifier on each line, or files, folders and "
            "patterns of matches.",
        ),
    ],
    roll: Annotated[
        str | None,
        typer.Option(help="The dice, such as 31, instead of those that ID names.", show_default=False),
    ] = None,
    plies: Plies = 2,
    filter: Annotated[
        str, typer.Option(help="Which plays are looked at more deeply: narrow, normal, wide or all.")
    ] = "normal",
    cubeless: Annotated[
        bool, typer.Option("--cubeless", help="Rank plays by cubeless money points.")
    ] = False,
    by_score: Annotated[
        int | None,
        typer.Option(
            min=1, max=25, help="The best play at every score up to so many points away.", show_default=False
        ),
    ] = None,
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
    show: Annotated[
        int, typer.Option(min=1, help="Plays to print, all being ranked; of a match, errors of each player.")
    ] = 10,
    least: Annotated[
        float, typer.Option(min=0.0, help="Matches: from which size on errors are told, in points of equity.")
    ] = 0.04,
    cache: Annotated[
        Path | None,
        typer.Option(
            parser=file_name,
            metavar="FILE",
            help="Matches: a file for what was judged, found there another time.",
            show_default=False,
        ),
    ] = None,
    rollout_close: Annotated[
        bool,
        typer.Option(
            "--rollout-close",
            help="Matches: roll out (preset quick) decisions with another choice within .02 of the best.",
        ),
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            parser=file_name,
            metavar="FILE|FOLDER",
            help="Matches: write a report, a page with boards and graphs; a name that does not end in .html "
            "is a folder with a page a match.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Matches: replace pages that exist.")] = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Rank the plays of the dice thrown, or without dice decide about the cube; of a match, judge everything.

    Plays are judged with the cube and at the score that ID names, unless --cubeless or --by-score asks
    otherwise. Of matches in any format gammon reads, every play, cube decision and roll is judged, and the
    worst errors are told; Ctrl-C stops with what is done by then.
    """
    asked: dict[str, Any] = {"met": met, "life": life, "threads": threads}
    if is_about_matches(ids):
        if roll is not None or by_score is not None or cubeless:
            raise SettingError("--roll, --by-score and --cubeless are about a position, not about matches")
        judged = {**asked, "plies": plies, "filter": filter, "thresholds": thresholds(least)}
        if rollout_close:
            judged["rollouts"] = rollout.PRESETS["quick"]
        pages = None if html is None else Pages(html, force)
        analyze_files(ids, Report(judged, least, show, as_json, pages), cache)
        return
    found = situations(ids[0])  # first, for what it says of a file that is not there
    if html is not None:
        raise SettingError("--html is about matches: for a position there is gammon board ID -o x.svg")
    for number, situation in enumerate(found):
        dice = situation.roll if roll is None else roll
        about: dict[str, Any] = {
            "id": situation.xgid,
            "plies": plies,
            "evaluator": evaluators.default().id,
            "met": tables.load(met).name if situation.length or by_score else None,
        }
        if number and not as_json:
            typer.echo("")
        if dice is None:
            if by_score is not None:
                raise SettingError("--by-score needs dice; for the cube there is gammon cube ID --matrix N")
            _decide(situation, about, asked, as_json)
            continue
        asked_plays = {**asked, "plies": plies, "filter": cast(FilterLike, filter)}
        if by_score is not None:
            _at_scores(
                gammon.search.by_score(situation, dice, by_score, **asked_plays), situation, about, as_json
            )
            continue
        ranking = gammon.rank(situation, dice, cubeful=not cubeless, **asked_plays)
        if as_json:
            kinds = {"kind": "plays", "roll": str(ranking.roll), "cubeful": not cubeless, "filter": filter}
            emit({**about, **kinds, **_fields(ranking)})
            continue
        typer.echo(situation.draw() + "\n")
        kind = "cubeless money points" if cubeless else "equities with the cube"
        typer.echo(f"{ranking.roll} to play; {_source(about)}, filter {filter}; {kind}")
        _table(ranking, show)


def _source(about: dict[str, Any]) -> str:
    met = f", {about['met']}" if about["met"] else ""
    return f"{about['plies']}-ply, net {short_id(about['evaluator'])}{met}"


def _decide(situation: Situation, about: dict[str, Any], asked: dict[str, Any], as_json: bool) -> None:
    plies, threads = about["plies"], asked["threads"]
    decision = decisions.decide(situation, plies=plies, **asked)
    probs = decisions.chances(situation, plies=plies, threads=threads)
    if as_json:
        emit({**about, "kind": "cube", "probs": list(probs), **cube.fields(decision)})
        return
    typer.echo(situation.draw() + "\n")
    typer.echo(f"{_source(about)}; cube life {decision.life:.3f}")
    typer.echo(_heading("") + "\n" + _chances("", list(probs)) + "\n")
    cube.table(decision)
    typer.echo("\n" + (cube.pending_answer(situation, decision) or decision.label))


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _at_scores(table: ScoreTable, situation: Situation, about: dict[str, Any], as_json: bool) -> None:
    """Print which play is best at each score, the plays by letters."""
    ranking, best = table.ranking, table.best
    if as_json:
        scores = {"best": best.tolist(), "equities": table.equities.tolist(), "mwc": table.mwc.tolist()}
        emit({**about, "kind": "scores", "roll": str(ranking.roll), **_fields(ranking), **scores})
        return
    typer.echo(situation.draw() + "\n")
    typer.echo(f"{ranking.roll} to play at every score, cube in the middle; {_source(about)}")
    typer.echo("rows: points the player on roll needs; columns: the opponent; 1 is Crawford\n")
    numbers = sorted(set(best.flat), key=lambda number: (-int((best == number).sum()), int(number)))
    # More best plays than letters are numbered.
    names = {n: LETTERS[i] if i < len(LETTERS) else str(i + 1) for i, n in enumerate(numbers)}
    typer.echo("    " + "".join(f"{away:>3}" for away in range(1, len(best) + 1)))
    for away, row in enumerate(best, 1):
        typer.echo(f"{away:>4}" + "".join(f"{names[number]:>3}" for number in row))
    typer.echo("")
    for number, name in names.items():
        count = int((best == number).sum())
        plural = "scores" if count > 1 else "score"
        typer.echo(
            f"{name:>2} {ranking[int(number)].play!s:<24} {count} {plural}, money {table.money[number]:+.4f}"
        )


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
