"""`gammon board ID`: draw a position, at the terminal or as a picture."""

from pathlib import Path
from typing import Annotated, cast

import typer

from gammon import Situation, viz
from gammon.cli._common import Id, Json, emit, file_name, replaceable
from gammon.errors import SettingError
from gammon.viz import BoardOptions, Quality

_TEXT_ONLY = "text has no {}: ask for a picture with --svg or --output x.svg"


def board(
    id: Id,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            parser=file_name,
            metavar="FILE",
            help="Write a file instead: .svg, .png or .txt by its ending.",
            show_default=False,
        ),
    ] = None,
    svg: Annotated[bool, typer.Option("--svg", help="Print an SVG picture instead of text.")] = False,
    theme: Annotated[str, typer.Option(help="Colours: light, dark or print.")] = "light",
    perspective: Annotated[
        str, typer.Option(help="Who is at the bottom: roller, decider, or absolute for seat 1.")
    ] = "roller",
    home: Annotated[str, typer.Option(help="Where checkers are borne off: right or left.")] = "right",
    numbers: Annotated[
        str, typer.Option(help="Numbers of the points: turning with the player on roll, bottom or none.")
    ] = "turning",
    arrow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAY[=QUALITY]",
            help="A play as arrows, as '8/5 6/5=best'; qualities are best, good, doubtful, bad and very bad "
            "(may be repeated).",
            show_default=False,
        ),
    ] = None,
    names: Annotated[
        tuple[str, str] | None, typer.Option(help="Names of seat 0 and seat 1.", show_default=False)
    ] = None,
    pips: Annotated[bool, typer.Option("--pips/--no-pips", help="Write the pip counts.")] = True,
    scale: Annotated[
        float | None,
        typer.Option(help="PNG: how many times larger than the SVG, by default 2.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    as_json: Json = False,
) -> None:
    """Draw a position with dice, score and cube, as text, or as a picture with --svg or --output."""
    options = cast(
        BoardOptions,
        {
            "theme": theme,
            "perspective": perspective,
            "home": home,
            "numbers": numbers,
            "arrows": [_arrow(text) for text in arrow or []],
            "names": names,
            "pips": pips,
        },
    )
    situation = Situation(id)
    if scale is not None and (output is None or output.suffix.lower() != ".png"):
        raise SettingError(f"--scale {scale:g} is for PNG pictures alone: ask for one with --output x.png")
    if svg and output is not None and output.suffix.lower() == ".txt":
        raise SettingError(f"--svg is a picture and {output} a text: ask for one of them")
    if svg or (output is not None and output.suffix.lower() != ".txt"):
        drawn = viz.svg(situation, **options)  # whatever is wrong is said before a file is touched
        if output is not None:
            replaceable(output, force=force)
            _save(output, situation, scale, options)
        if as_json:
            emit({**_ids(situation), **({"svg": drawn} if output is None else {"file": str(output)})})
        elif output is None:
            typer.echo(drawn, nl=False)
    elif output is not None:
        _text_only(options)
        replaceable(output, force=force)
        viz.save(output, situation)
        if as_json:
            emit({**_ids(situation), "file": str(output)})
    elif as_json:
        emit(_plain(situation))
    else:
        _text_only(options)
        typer.echo(situation.draw())


def _save(output: Path, situation: Situation, scale: float | None, options: BoardOptions) -> None:
    try:
        viz.save(output, situation, scale=2.0 if scale is None else scale, **options)
    except ModuleNotFoundError as missing:
        raise SettingError(str(missing)) from None


def _arrow(text: str) -> tuple[str, Quality]:
    play, _, quality = text.partition("=")
    return play, cast(Quality, quality)


def _text_only(options: BoardOptions) -> None:
    """Raise `SettingError` if something was asked of a text that only pictures have."""
    usual = {"theme": "light", "perspective": "roller", "home": "right", "numbers": "turning", "pips": True}
    for name, value in options.items():
        if value and value != usual.get(name, ()):
            raise SettingError(_TEXT_ONLY.format(name))
    if not options["pips"]:
        raise SettingError("text always has the pip counts")


def _ids(situation: Situation) -> dict[str, object]:
    return {"id": situation.position.id, "xgid": situation.xgid}


def _plain(situation: Situation) -> dict[str, object]:
    position = situation.position
    return {
        **_ids(situation),
        "board": position.board.tolist(),
        "pips": list(position.pip_count),
        "borne_off": list(position.borne_off),
        "phase": position.phase,
        "is_over": situation.is_over,
        "text": situation.draw(),
    }
