"""GNU Backgammon's analysis in `.sgf`: `A` for plays, `DA` for the cube, `LU` for luck.

    A[chosen][play E ver 3 win wg wbg lg lbg equity 2C 0 1 0.0 1]...      an evaluation, 2 plies, cubeful
    A[chosen][play X ver 3 Score equity cubeless Trials n Output 7 numbers StdDev 7 numbers ...]
    DA[E ver 3 2C 1 0.0 1 (five chances, cubeless, cubeful) of no double (the same) of double and take]
    DA[X ver 3 Eq ... Trials n NoDouble Output ... StdDev ... DoubleTake Output ... StdDev ...]

The cubeful number of a cube decision is a match winning chance in a match, an equity in money play.
"""

import math
import re
from collections.abc import Callable
from dataclasses import replace

from gammon.match import (
    Candidate,
    CubeFinding,
    Evaluation,
    LuckFinding,
    PlayFinding,
    RolloutSettings,
    Source,
)
from gammon.match._findings import Five

_NUMBER = r"[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|inf|nan)"
_PLIES = re.compile(r"^(?P<plies>\d{1,2})(?P<cubeful>C?)$")


def read_plays(values: list[str], program: str, name_play: Callable[[str], str]) -> PlayFinding | None:
    """Return what an `A` says; its plays are named by `name_play`. `None` if nothing of it can be read."""
    chosen: int | None = None
    candidates: list[Candidate] = []
    for value in values[:1_000]:
        words = value.split()
        if len(words) == 1 and words[0].isdecimal():
            chosen = int(words[0][:4])
        elif len(words) > 2 and (evaluation := _play_evaluation(words[1:], program)) is not None:
            candidates.append(Candidate(name_play(words[0]), evaluation))
    if not candidates:
        return None
    if chosen is not None and chosen >= len(candidates):
        chosen = None
    return PlayFinding(candidates=tuple(candidates), chosen=chosen)


def _play_evaluation(words: list[str], program: str) -> Evaluation | None:
    if words[0] == "X":
        return _rollout(words, program, score=_after(words, "Score", 2), start=0)
    numbers = _numbers(words, 3, 6)
    if words[0] != "E" or len(numbers) < 6:
        return None
    source = _source(words[9] if len(words) > 9 else "", program)
    return Evaluation(source=source, probs=_five(numbers), equity=_finite(numbers[5]))


def read_cube(value: str, program: str, length: int) -> CubeFinding | None:
    """Return what a `DA` says; `None` if it cannot be read."""
    words = value.split()
    if not words:
        return None
    if words[0] == "X":
        places = [words.index(word) if word in words else -1 for word in ("NoDouble", "DoubleTake")]
        found = [_rollout(words, program, score=[], start=place) if place >= 0 else None for place in places]
        if found == [None, None]:
            return None
        return CubeFinding(no_double=_in_match(found[0], length), double_take=_in_match(found[1], length))
    numbers = _numbers(words, 7, 14)
    if words[0] != "E" or len(numbers) < 14:
        return None
    source = _source(words[3], program)
    sides = []
    for seven in (numbers[:7], numbers[7:]):
        whole = Evaluation(
            source=source, probs=_five(seven), cubeless_equity=_finite(seven[5]), equity=_finite(seven[6])
        )
        sides.append(_in_match(whole, length))
    return CubeFinding(no_double=sides[0], double_take=sides[1])


def _in_match(found: Evaluation | None, length: int) -> Evaluation | None:
    """Return an evaluation whose cubeful number is a match winning chance, if it is of a match."""
    return found if found is None or not length else replace(found, mwc=found.equity, equity=None)


def _rollout(words: list[str], program: str, *, score: list[float], start: int) -> Evaluation | None:
    output = _after(words, "Output", 7, start)
    if len(output) < 7:
        return None
    errors = _after(words, "StdDev", 7, start)
    trials = _after(words, "Trials", 1)
    settings = RolloutSettings(trials=int(trials[0]) if trials and 0 <= trials[0] < 1e9 else None)
    return Evaluation(
        source=Source(program=program, level="rollout", rollout=settings),
        probs=_five(output),
        cubeless_equity=_finite(output[5]),
        equity=_finite(score[0] if score else output[6]),
        probs_error=_five(errors) if len(errors) == 7 else None,
        equity_error=_finite(errors[6]) if len(errors) == 7 else None,
    )


def _after(words: list[str], name: str, count: int, start: int = 0) -> list[float]:
    """Return the numbers after a word."""
    try:
        place = words.index(name, start) + 1
    except ValueError:
        return []
    return _numbers(words, place, count)


def _numbers(words: list[str], place: int, count: int) -> list[float]:
    found = []
    for word in words[place : place + count]:
        if len(word) > 40 or not re.fullmatch(_NUMBER, word):
            break
        found.append(float(word))
    return found


def _five(numbers: list[float]) -> Five | None:
    a, b, c, d, e = numbers[:5]
    return (a, b, c, d, e) if all(map(math.isfinite, numbers[:5])) else None


def _finite(number: float) -> float | None:
    """Return a number, or nothing for the infinities that stand for unknown ones."""
    return number if math.isfinite(number) else None


def _source(plies: str, program: str) -> Source:
    found = _PLIES.match(plies)
    if found is None:
        return Source(program=program)
    depth = int(found["plies"])
    return Source(program=program, level=f"{depth}-ply", plies=depth, cubeful=found["cubeful"] == "C")


def read_luck(value: str, program: str) -> LuckFinding | None:
    """Return what an `LU` says; `None` if it is no number."""
    numbers = _numbers(value.split(), 0, 1)
    if not numbers or not math.isfinite(numbers[0]):
        return None
    return LuckFinding(source=Source(program=program), equity=numbers[0])


# Writing. What comes back is `None` where it would not be read as the same.


def write_luck(found: LuckFinding, program: str) -> str | None:
    """Return the value of `LU`."""
    text = "" if found.equity is None else repr(found.equity)
    return text if read_luck(text, program) == found else None


def write_plays(found: PlayFinding, program: str, letters: dict[str, str]) -> list[str] | None:
    """Return the values of `A`; `letters` has each play in letters."""
    if found.chosen is None or found.error is not None:
        return None
    values = [str(found.chosen)]
    for candidate in found.candidates:
        written = _written(candidate.evaluation, program)
        if written is None or candidate.play not in letters or candidate.after is not None:
            return None
        values.append(f"{letters[candidate.play]} {written}")
    return values


def _written(evaluation: Evaluation, program: str) -> str | None:
    source = evaluation.source
    if evaluation.probs is None or evaluation.equity is None or source.plies is None:
        return None
    numbers = " ".join(f"{number!r}" for number in (*evaluation.probs, evaluation.equity))
    text = f"E ver 3 {numbers} {source.plies}{'C' if source.cubeful else ''} 0 1 0.000000 1"
    return text if _play_evaluation(text.split(), program) == evaluation else None


def write_cube(found: CubeFinding, program: str, length: int) -> str | None:
    """Return the value of `DA`."""
    numbers = []
    for side in (found.no_double, found.double_take):
        cubeful = None if side is None else side.mwc if length else side.equity
        if side is None or side.probs is None or side.cubeless_equity is None or cubeful is None:
            return None
        numbers += [*side.probs, side.cubeless_equity, cubeful]
        source = side.source
    text = " ".join(f"{number!r}" for number in numbers)
    value = f"E ver 3 {source.plies}{'C' if source.cubeful else ''} 1 0.000000 1 {text}"
    return value if read_cube(value, program, length) == found else None
