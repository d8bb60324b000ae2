"""`gammon rollout ID`: play a position, plays of a roll, a cube decision or a file of positions out."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from gammon import Situation
from gammon import rollout as rollouts
from gammon._files import replacing
from gammon._native import RolloutPart
from gammon.cli import _progress
from gammon.cli._common import (
    Json,
    Options,
    Threads,
    Variant,
    emit,
    file_name,
    get_variant,
    is_file,
    keepable,
    refuse_options,
    replaceable,
    situations,
)
from gammon.cli.fit import keep_apart
from gammon.errors import SettingError, Stopped
from gammon.evaluators import load, load_for
from gammon.variants import Variant as Game

Found = rollouts.Result | rollouts.Comparison | rollouts.CubeResult


def rollout(
    id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="An identifier, of the --variant if one is named; 'start'; or a file with one on each line.",
        ),
    ],
    plays: Annotated[
        str | None,
        typer.Option(
            help="Plays of the roll to compare, such as '8/5 6/5, 24/23 13/10'; by default the best few."
        ),
    ] = None,
    candidates: Annotated[int, typer.Option(help="Plays compared if --plays names none.")] = 5,
    drop: Annotated[
        float | None,
        typer.Option(
            help="Drop plays that are so many standard errors of the difference behind the best, such as 4; "
            "by default none."
        ),
    ] = None,
    roll: Annotated[
        str | None, typer.Option(help="The dice, such as 31, instead of those that ID names.")
    ] = None,
    on_roll: Annotated[
        bool,
        typer.Option("--on-roll", help="The player on roll throws first, whatever the identifier says."),
    ] = False,
    cube: Annotated[
        bool,
        typer.Option(
            "--cube", help="With the cube, at the score of ID; without dice it is the cube decision."
        ),
    ] = False,
    preset: Annotated[
        str,
        typer.Option(
            help="What the next options do not say: full (1,296 games to the end), race (into the bear-off "
            "tables), quick (360 games, 5 turns), medium (1,296, 9 turns), strong (1,296, 11 turns, the "
            "first two played at 1 ply)."
        ),
    ] = "full",
    trials: Annotated[int | None, typer.Option(help="Games to play; by default as the preset says.")] = None,
    truncate: Annotated[
        int | None,
        typer.Option(
            help="Turns after which games are broken off and valued; by default as the preset says."
        ),
    ] = None,
    plies: Annotated[
        int | None,
        typer.Option(
            help="Rolls looked ahead for plays, 0 (eXtreme Gammon's 1-ply) to 4; by default as the preset "
            "says."
        ),
    ] = None,
    strata: Annotated[
        int | None, typer.Option(help="1, 36 or 1296 first throws equally often; by default 36.")
    ] = None,
    luck: Annotated[
        str | None, typer.Option(help="Whose numbers take out luck: large, small or off; by default large.")
    ] = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NUMBER",
            help="End as soon as no standard error is larger (se=0.005), the best play is so many standard "
            "errors of the difference ahead (jsd=3), what is right about the cube is (decided=3), or so long "
            "has passed (seconds=60), but not before so many games (least=1000); may be repeated.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the dice.")] = 1,
    first: Annotated[int, typer.Option(help="Number of the first game, to add others of the same seed.")] = 0,
    net: Annotated[
        Path | None,
        typer.Option(
            parser=file_name,
            metavar="FILE",
            help="A net file that plays and values; by default the packaged one.",
        ),
    ] = None,
    small: Annotated[
        Path | None,
        typer.Option(
            parser=file_name,
            metavar="FILE",
            help="A net file that picks the plays which --net looks at; before the packaged net by default "
            "the packaged small one.",
        ),
    ] = None,
    alone: Annotated[
        bool,
        typer.Option(
            "--alone", help="Have the packaged net look at all plays, without the small one before it."
        ),
    ] = False,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            parser=file_name, metavar="FILE", help="A file to keep what is done in, every few seconds."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the checkpoint, with the same settings.")
    ] = False,
    cluster: Annotated[
        str | None, typer.Option(help="Address of a dask scheduler whose workers play the games.")
    ] = None,
    threads: Threads = None,
    html: Annotated[
        Path | None,
        typer.Option(
            parser=file_name,
            metavar="FILE",
            help="Also write a report with a plot of the equity: a page of HTML.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the report if it exists.")] = False,
    plot: Annotated[
        bool, typer.Option("--plot", help="Also draw the equity with its band over the games, in letters.")
    ] = False,
    as_json: Json = False,
    variant: Variant = None,
    option: Options = None,
) -> None:
    """Roll a position out: chances and equities with standard errors.

    Without dice the position is rolled out, with --cube the cube decision; with dice the best plays are
    compared. 'start' is the opening, whose first roll is never a double unless --on-roll is given. Luck is
    taken out of the results. Ctrl-C stops and prints what was done (exit status 130).

    The positions of a file are rolled out one after another, a line each (with --json an object each), with
    --cube at their scores; dice they have are not used.

    With --variant, ID is a gammon-id of that game or 'start', and --net a net trained for it.
    """
    if resume and checkpoint is None:
        raise SettingError("--resume needs the file to go on from: --checkpoint")
    read = [("--net", net), ("--small", small)]
    keep_apart([("--html", html), ("--checkpoint", checkpoint)], read)
    keepable(checkpoint)
    asked = _settings(preset, trials, truncate, plies, strata, luck)
    asked = replace(asked, seed=seed, first=first, opening=False if on_roll else None)
    if alone:
        asked = replace(asked, prefilter=None)
    shown = _Shown(html, plot, as_json)
    if variant is not None:
        if drop is not None:
            raise SettingError("--drop is for the standard game alone")
        if html is not None:
            replaceable(html, force=force)
        _of_variant(
            get_variant(variant, option),
            id,
            asked,
            roll=roll,
            on_roll=on_roll,
            plays=plays,
            candidates=candidates,
            cube=cube,
            net=net,
            small=small,
            shown=shown,
            until=_until(until or []),
            checkpoint=checkpoint,
            resume=resume,
            threads=threads,
            executor=None if cluster is None else _client(cluster),
        )
        return
    refuse_options(option)
    if is_file(Path(id)):
        only = {
            "--plays": plays,
            "--roll": roll,
            "--until": until,
            "--checkpoint": checkpoint,
            "--html": html,
            "--plot": plot or None,
            "--drop": drop,
        }
        _refuse({name: given for name, given in only.items() if given is not None}, "one position")
        evaluators = {
            "evaluator": None if net is None else load(net),
            "small": None if small is None else load(small),
        }
        executor = None if cluster is None else _client(cluster)
        _file(id, asked, cube=cube, as_json=as_json, threads=threads, executor=executor, **evaluators)
        return
    situation = situations(id)[0]
    dice = None if on_roll else roll if roll is not None else situation.roll
    common: dict[str, Any] = {
        "evaluator": None if net is None else load(net),
        "small": None if small is None else load(small),
        "until": _until(until or []),
        "checkpoint": checkpoint,
        "resume": resume,
        "threads": threads,
        "executor": None if cluster is None else _client(cluster),
    }
    if plays is not None and dice is None:
        raise SettingError("--plays needs the dice: --roll 31, or an identifier that says them")
    if drop is not None and dice is None:
        raise SettingError("--drop is for plays that are compared: it needs the dice")
    if html is not None:
        replaceable(html, force=force)
    trace = rollouts.Trace()
    with _progress.bar("rollout", asked.trials, shown=not as_json) as update:
        trace.then = _told(update)
        common["progress"] = trace
        found: Found
        if dice is not None:
            named = None if plays is None else [one.strip() for one in plays.split(",") if one.strip()]
            found = rollouts.compare(
                situation, dice, named, asked, candidates=candidates, drop=drop, cube=cube, **common
            )
        elif cube:
            found = rollouts.decide(situation, asked, **common)
        else:
            found = rollouts.run(situation, asked, **common)
    thrown = f"{found.plays[0].play.roll} in " if isinstance(found, rollouts.Comparison) else ""
    shown.show(found, asked.trials, trace, f"Rollout of {thrown}{id}")


@dataclass(frozen=True, slots=True)
class _Shown:
    """How a rollout is shown."""

    html: Path | None
    plot: bool
    as_json: bool

    def show(self, found: Found, asked: int, trace: rollouts.Trace, title: str) -> None:
        """Print what was found, and write and draw how it came about where that was asked for.

        Raises `Stopped` when that is done if games are missing.
        """
        _print(found, asked, as_json=self.as_json)
        trace.then = None
        if self.html is not None:
            page = rollouts.page(found, trace, title=title)
            with replacing(self.html) as part:
                part.write_text(page, encoding="utf-8")
        if self.plot and not self.as_json:
            trace(found.part)
            plays = {one.play.after.id: str(one.play) for one in getattr(found, "plays", ())}
            typer.echo("\n" + trace.text(plays))
        if found.stopped is None and not found.complete:
            raise Stopped


_GROUP = 64
"""Positions of a file rolled out together; their lines appear together."""


def _file(path: str, asked: rollouts.Settings, *, cube: bool, as_json: bool, **how: Any) -> None:
    """Roll out the positions of a file, and print each group as it is done."""
    known = situations(path)
    done = 0
    with _progress.bar("rollout", len(known) * asked.trials, shown=not as_json) as update:

        def told(trials: int) -> bool:
            return update(done + trials, "")

        for start in range(0, len(known), _GROUP):
            some = known[start : start + _GROUP]
            found = rollouts.run_many(some, asked, cube=cube, progress=told, **how)
            for row, situation in enumerate(some):
                if found.trials[row]:
                    _row(found, row, situation, as_json=as_json)
            done += int(found.trials.sum())
            if not update(done, ""):
                break
    if done < len(known) * asked.trials:
        typer.echo(f"Stopped after {done:,} of {len(known) * asked.trials:,} games.", err=True)
        raise Stopped


def _row(found: rollouts.Many, row: int, situation: Situation, *, as_json: bool) -> None:
    """Print what was found about one position of a file."""
    names = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
    numbers = {
        name: {"mean": float(found.chances[row, i]), "error": float(found.chance_errors[row, i])}
        for i, name in enumerate(names)
    }
    for name in ("equity", "raw_equity", "cubeful", "mwc"):
        mean, error = float(getattr(found, name)[row]), float(getattr(found, f"{name}_error")[row])
        if not math.isnan(mean):
            numbers[name] = {"mean": mean, "error": error}
    if as_json:
        plain = {
            name: {key: value if math.isfinite(value) else None for key, value in one.items()}
            for name, one in numbers.items()
        }
        emit({"id": situation.xgid, "trials": int(found.trials[row]), "seed": found.settings.seed} | plain)
        return
    equity = numbers.get("cubeful", numbers["equity"])
    chances = "  ".join(f"{100 * numbers[name]['mean']:5.1f}" for name in names)
    typer.echo(f"{equity['mean']:+.4f} ± {equity['error']:.4f}  {chances}  {situation.xgid}")


def _refuse(given: dict[str, object], about: str) -> None:
    """Raise `SettingError` for an option that is `about` something else than what is rolled out."""
    for name in given:
        raise SettingError(f"{name} is for {about} alone")


def _of_variant(
    game: Game,
    id: str,
    settings: rollouts.Settings,
    *,
    roll: str | None,
    on_roll: bool,
    plays: str | None,
    candidates: int,
    cube: bool,
    net: Path | None,
    small: Path | None,
    shown: _Shown,
    **how: Any,
) -> None:
    """Roll out a position of another game, or plays of a roll there, or ways to decide what is asked for."""
    subject = game.start if id == "start" else game.position(id)
    if id == "start" and not on_roll and game.opening == "use_dice":
        settings = replace(settings, opening=True)
    how["evaluator"] = None if net is None else load_for(game, net)
    how["small"] = None if small is None else load(small)
    decides = roll is not None or subject.asks != ("throw",)
    if plays is not None and not decides:
        raise SettingError("--plays needs the dice: --roll 31")
    trace = rollouts.Trace()
    with _progress.bar("rollout", settings.trials, shown=not shown.as_json) as update:
        trace.then = _told(update)
        how["progress"] = trace
        found: Found
        if decides and not on_roll:
            named: Any = None if plays is None else [one.strip() for one in plays.split(",") if one.strip()]
            found = rollouts.compare(subject, roll, named, settings, candidates=candidates, cube=cube, **how)
        else:
            found = rollouts.run(subject, settings, cube=cube, **how)
    thrown = f"{roll} in " if roll is not None and decides and not on_roll else ""
    shown.show(found, settings.trials, trace, f"Rollout of {thrown}{id} ({game.name})")


def _told(update: Callable[[int, str], bool]) -> Callable[[RolloutPart], bool]:
    """Show the best equity so far with its error."""

    def progress(part: RolloutPart) -> bool:
        if part.trials < 2:
            return update(part.trials, "")
        of = part.equity_of if part.subject.situation is None else part.cubeful_of
        mean, error = max(of(branch) for branch in range(part.branches))
        return update(part.trials, f"{mean:+.3f} ± {error:.3f}")

    return progress


def _print(found: Found, asked: int, *, as_json: bool) -> None:
    if not found.trials:
        raise Stopped
    for note in found.notes:
        typer.echo(f"Note: {note}", err=True)
    if not isinstance(found, rollouts.CubeResult) and found.ignored:
        typer.echo(f"Not used: {', '.join(found.ignored)}.", err=True)
    if found.stopped is not None:
        typer.echo(f"Ended by its rule ({found.stopped}) after {found.trials:,} games.", err=True)
    elif not found.complete:
        typer.echo(f"Stopped after {found.trials:,} of {asked:,} games.", err=True)
    if as_json:
        emit(found.to_dict())
    else:
        typer.echo(str(found))


def _settings(
    preset: str,
    trials: int | None,
    truncate: int | None,
    plies: int | None,
    strata: int | None,
    luck: str | None,
) -> rollouts.Settings:
    if preset not in rollouts.PRESETS:
        known = ", ".join(rollouts.PRESETS)
        raise SettingError(f"unknown preset {preset!r:.80}: expected one of {known}")
    given = {"trials": trials, "truncate": truncate, "plies": plies, "strata": strata, "luck": luck}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return replace(rollouts.PRESETS[preset], **changes)


def _until(rules: list[str]) -> rollouts.Until | None:
    """Read rules such as se=0.005."""
    names = {"se": "error", "jsd": "jsd", "decided": "decided", "seconds": "seconds", "least": "least"}
    read: dict[str, Any] = {}
    for rule in rules:
        name, _, number = rule.partition("=")
        if names.get(name) in read:
            raise SettingError(f"--until says {name} more than once")
        try:
            read[names[name]] = int(number) if name == "least" else float(number)
        except (KeyError, ValueError):
            raise SettingError(
                f"--until takes NAME=NUMBER with {', '.join(names)}, got {rule!r:.80}"
            ) from None
    return rollouts.Until(**read) if read else None


def _client(address: str) -> object:
    try:
        from distributed import Client
    except ImportError:
        raise SettingError("--cluster needs dask: pip install 'gammon[dask]'") from None
    connect: Callable[[str], object] = Client
    return connect(address)
