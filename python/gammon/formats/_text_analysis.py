"""The analysis that stands below a position: eXtreme Gammon's and BGBlitz's, in any language.

A candidate of eXtreme Gammon is a rank, a level, a play and an equity, then two lines of percentages; its
cube decision has the equities of no double, double and take, double and pass in that order. BGBlitz gives a
rank, a match winning chance, an equity and a play, then one line of six chances; its cube the same three
lines. Numbers may have commas.
"""

import re
from dataclasses import dataclass, field

from gammon._native import Roll, Situation
from gammon.errors import GammonError
from gammon.formats._source import Line
from gammon.match import Candidate, CubeFinding, Evaluation, PlayFinding, Source
from gammon.match._findings import Five

_N = r"[-+]?\d{1,4}[.,]\d{1,6}"
_RANK = re.compile(r"^\s*(?P<rank>\d{1,2})\.\s+(?P<rest>\S.*)$")
_XG = re.compile(
    rf"^(?P<level>\S.*?)\s{{2,}}(?P<play>\S.*?)\s+\S{{1,12}}:\s*(?P<equity>{_N})\s*(?:\(\s*(?P<loss>{_N})\s*\))?\s*$"
)
_BGBLITZ = re.compile(
    rf"^(?:(?P<mwc>{_N})\s+\S{{1,12}}\s*/\s+)?(?P<equity>{_N})\s+(?:\(\s*(?P<loss>{_N})\s*\)\s*)?(?P<play>\S*/\S.*?|\S.*?)\s*$"
)
_PERCENT = re.compile(
    r"(?P<win>\d{1,3}(?:[.,]\d{1,4})?)\s*%\s*\([^\d%]*(?P<gammon>\d{1,3}(?:[.,]\d{1,4})?)\s*%[^\d%]*(?P<bg>\d{1,3}(?:[.,]\d{1,4})?)\s*%"
)
_SIX = re.compile(rf"^\s*({_N})\s+({_N})\s+({_N})\s+-\s+({_N})\s+({_N})\s+({_N})\s*$")
_TABLE = re.compile(
    r"^\s*(?P<name>\S.*?)\s{2,}(?P<win>\d{1,3}[.,]\d{1,3})\s+(?P<gammon>\d{1,3}[.,]\d{1,3})\s+(?P<bg>\d{1,3}[.,]\d{1,3})\s*$"
)
_CUBELESS = re.compile(rf"=\s*({_N})[^=]*=\s*({_N})\s*$")
_ACTION = re.compile(
    rf"^\s*(?P<what>\S[^:]*?)\s*:\s*(?P<first>{_N})\s*(?:\(\s*{_N}\s*\))?(?:\s+(?P<second>{_N})\s*(?:\(\s*{_N}\s*\))?)?\s*$"
)
_BEST = re.compile(r"^\s*[^:\d]{3,40}:\s*(?P<best>[^\d:(]{3,60}/[^\d:(]{3,40}|[^\d:(]{3,60})$")
_BEST_BGBLITZ = re.compile(r"^\s*[^:]{2,30}:?\s*:\s+(?P<best>\S.*?)\s{2,}EMG\s*$")
_PLY = re.compile(r"(?<!\d)(?P<plies>\d{1,2})-ply(?:\s+red)?", re.IGNORECASE)
_LEVEL = re.compile(r"XG\s?Roller\+{0,2}|\d{1,2}-ply(?:\s+red)?|Rollout|Book", re.IGNORECASE)
_VERSION = re.compile(
    r"eXtreme\s*Gammon\s+\S+\s*:?\s*(?P<version>\d[\w.]*)(?:.*?MET\s*:\s*(?P<met>.+?))?\s*$", re.IGNORECASE
)


@dataclass(slots=True)
class _State:
    """What has been read of one position's analysis."""

    plays: list[list[object]] = field(default_factory=list)
    """Rows of play, source level, equity, mwc, chances."""
    percents: list[tuple[float, float, float]] = field(default_factory=list)
    table: list[tuple[str, float, float, float]] = field(default_factory=list)
    cubeless: tuple[float, float] | None = None
    actions: list[tuple[float, float | None]] = field(default_factory=list)
    best: str = ""
    level: str = ""
    program: str = ""
    version: str = ""
    met: str = ""
    used: int = 0


def read(
    lines: list[Line], situation: Situation, names: dict[int, str]
) -> tuple[tuple[PlayFinding | CubeFinding, ...], int]:
    """Return what is said of plays and cube, and how many lines that took."""
    state = _State()
    for i, line in enumerate(lines):
        if line.text.strip() and _take(state, line.text, situation):
            state.used = i + 1
    findings: list[PlayFinding | CubeFinding] = []
    if state.plays:
        findings.append(_plays(state, situation))
    elif len(state.actions) >= 2:
        findings.append(_cube(state, situation, names))
    return tuple(findings), state.used


def _take(state: _State, text: str, situation: Situation) -> bool:
    """Take what a line says; whether it said something."""
    if found := _VERSION.search(text):
        state.program = "eXtreme Gammon"
        state.version, state.met = found["version"], (found["met"] or "")
        return True
    if found := _RANK.match(text):
        return _candidate(state, found["rest"])
    if (percent := _PERCENT.search(text)) and len(text) < 200:
        return _chances(state, percent)
    if state.plays and (six := _SIX.match(text)):
        values = [_value(number) for number in six.groups()]
        state.plays[-1][4] = (values[0], values[1], values[2], values[4], values[5])
        return True
    if state.plays:
        return False
    return _cube_line(state, text)


def _candidate(state: _State, rest: str) -> bool:
    if found := _XG.match(rest):
        state.program = state.program or "eXtreme Gammon"
        level = re.sub(r"[¹²³⁴-⁹*]+$", "", found["level"]).strip()
        state.plays.append([found["play"], level, _value(found["equity"]), None, None])
        return True
    if "/" in rest and (found := _BGBLITZ.match(rest)):
        state.program = "BGBlitz"
        mwc = _value(found["mwc"]) if found["mwc"] else None
        state.plays.append([found["play"], "", _value(found["equity"]), mwc, None])
        return True
    return False


def _chances(state: _State, found: re.Match[str]) -> bool:
    three = tuple(_percent(found[name]) for name in ("win", "gammon", "bg"))
    state.percents.append((three[0], three[1], three[2]))
    if state.plays and len(state.percents) >= 2:
        mine, theirs = state.percents[-2:]
        state.plays[-1][4] = (*mine, theirs[1], theirs[2])
        state.percents.clear()
    return True


def _cube_line(state: _State, text: str) -> bool:
    if found := _TABLE.match(text):
        state.table.append((found["name"], *(_percent(found[name]) for name in ("win", "gammon", "bg"))))  # type: ignore[arg-type]
        return True
    if found := _CUBELESS.search(text):
        state.cubeless = (_value(found[1]), _value(found[2]))
        return True
    if found := _BEST_BGBLITZ.match(text):
        state.best, state.program = found["best"], "BGBlitz"
        state.actions.clear()
        return True
    if (found := _ACTION.match(text)) and (state.percents or state.table) and len(state.actions) < 3:
        state.actions.append((_value(found["first"]), _value(found["second"]) if found["second"] else None))
        return True
    if state.percents and len(state.actions) == 3 and not state.best and (found := _BEST.match(text)):
        state.best = found["best"].strip()
        return True
    if not state.percents and not state.table and (found := _LEVEL.search(text)) and len(text) < 100:
        state.level = found[0]
        return True
    return False


def _value(text: str) -> float:
    return float(text.replace(",", "."))


def _percent(text: str) -> float:
    """Return a percentage as a chance, to the last digit that was printed."""
    return round(_value(text) / 100, 8)


def _source(state: _State, level: str) -> Source:
    found = _PLY.search(level)
    program = " ".join(filter(None, (state.program, state.version)))
    # That program counts the static evaluation as 1-ply.
    plies = (
        int(found["plies"]) - 1
        if found and state.program == "eXtreme Gammon" and int(found["plies"])
        else None
    )
    return Source(program=program or "eXtreme Gammon", level=level, plies=plies, met=state.met)


def _plays(state: _State, situation: Situation) -> PlayFinding:
    candidates = []
    for play, level, equity, mwc, probs in state.plays:
        text = _play_text(str(play), situation)
        evaluation = Evaluation(
            source=_source(state, str(level)),
            probs=probs,  # type: ignore[arg-type]
            equity=equity,  # type: ignore[arg-type]
            mwc=mwc,  # type: ignore[arg-type]
        )
        candidates.append(Candidate(text, evaluation))
    return PlayFinding(candidates=tuple(candidates))


def _play_text(text: str, situation: Situation) -> str:
    """Return a play as it is usually written, if the position and the dice allow it."""
    plain = text.replace(",", " ")
    roll: Roll | None = situation.roll
    if roll is None:
        return plain
    try:
        return str(situation.position.play(plain, roll))
    except GammonError:
        return plain


def _cube(state: _State, situation: Situation, names: dict[int, str]) -> CubeFinding:
    source = _source(state, state.level)
    probs = _probs(state, situation, names)
    sides = []
    for i, (first, second) in enumerate(state.actions):
        mwc, equity = (first, second) if second is not None else (None, first)
        cubeless = state.cubeless[i] if state.cubeless is not None and i < 2 else None
        sides.append(
            Evaluation(
                source=source,
                probs=probs if i == 0 else None,
                equity=equity,
                mwc=mwc,
                cubeless_equity=cubeless,
            )
        )
    return CubeFinding(
        no_double=sides[0],
        double_take=sides[1],
        double_pass=sides[2] if len(sides) > 2 else None,
        best=state.best,
    )


def _probs(state: _State, situation: Situation, names: dict[int, str]) -> Five | None:
    """Return the chances of the player on roll: he comes first with eXtreme Gammon; BGBlitz names both."""
    if len(state.percents) >= 2:
        mine, theirs = state.percents[:2]
        return (*mine, theirs[1], theirs[2])
    if len(state.table) >= 2:
        first, second = state.table[:2]
        if first[0] == names.get(situation.seat):
            first, second = second, first
        return (second[1], second[2], second[3], first[2], first[3])
    return None
