"""The records of eXtreme Gammon's files, as their author describes them (extremegammon.com/xgformat.aspx).

Little-endian, Delphi's alignment. A record of `temp.xg` has 2560 bytes and its kind at byte 8. Texts come
twice: as short strings (a byte of length, then Windows characters), and from version 24 on as UTF-16 too.
What is not used here has no name.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

SIZE = 2560
"""Bytes of a record of a match."""

ROLLOUT_SIZE = 2184
"""Bytes of a record of a rollout."""

HEADER_MATCH, HEADER_GAME, CUBE, MOVE, FOOTER_GAME, FOOTER_MATCH = range(6)

VERSION = 30
"""The version that is written: the last whose layout is published."""

MAGIC = 0x494C4D44
UNLIMITED = 99_999
"""The match length that means money play."""

NOT_ANALYSED = -1000.0


def _layout(size: int, **fields: tuple[int, Any]) -> np.dtype[np.void]:
    return np.dtype(
        {
            "names": list(fields),
            "formats": [kind for _, kind in fields.values()],
            "offsets": [offset for offset, _ in fields.values()],
            "itemsize": size,
        }
    )


_SHORT_NAME, _SHORT_TEXT, _TEXT = "V41", "V129", ("<u2", 129)

MATCH_HEADER = _layout(
    SIZE,
    kind=(8, "u1"),
    ansi_player1=(9, _SHORT_NAME),
    ansi_player2=(50, _SHORT_NAME),
    length=(92, "<i4"),
    variation=(96, "<i4"),
    crawford=(100, "u1"),
    jacoby=(101, "u1"),
    beaver=(102, "u1"),
    auto_double=(103, "u1"),
    elo=(104, ("<f8", 2)),
    experience=(120, ("<i4", 2)),
    date=(128, "<f8"),
    ansi_event=(136, _SHORT_TEXT),
    game_id=(268, "<i4"),
    computer_levels=(272, ("<i4", 2)),
    ansi_location=(283, _SHORT_TEXT),
    game_mode=(412, "<i4"),
    imported=(416, "u1"),
    ansi_round=(417, _SHORT_TEXT),
    invert=(548, "<i4"),
    version=(552, "<i4"),
    magic=(556, "<u4"),
    comment_header=(576, "<i4"),
    comment_footer=(580, "<i4"),
    site=(608, "<i4"),
    cube_limit=(612, "<i4"),
    auto_double_max=(616, "<i4"),
    transcribed=(620, "u1"),
    event=(622, _TEXT),
    player1=(880, _TEXT),
    player2=(1138, _TEXT),
    location=(1396, _TEXT),
    round=(1654, _TEXT),
    transcriber=(1960, _TEXT),
)

GAME_HEADER = _layout(
    SIZE,
    kind=(8, "u1"),
    score=(12, ("<i4", 2)),
    crawford=(20, "u1"),
    start=(21, ("i1", 26)),
    number=(48, "<i4"),
    in_progress=(52, "u1"),
    comment_header=(56, "<i4"),
    comment_footer=(60, "<i4"),
    auto_doubles=(64, "<i4"),
)

_CUBE_ANALYSIS = _layout(
    132,
    position=(0, ("i1", 26)),
    level=(28, "<i4"),
    score=(32, ("<i4", 2)),
    cube=(40, "<i4"),
    owner=(44, "<i4"),
    jacoby=(48, "<i4"),
    crawford=(52, "<i2"),
    double=(56, "<i2"),
    beaver=(58, "<i2"),
    no_double=(60, ("<f4", 7)),
    equities=(88, ("<f4", 3)),
    level_asked=(100, "<i2"),
    choice=(102, "<i2"),
    double_take=(104, ("<f4", 7)),
)

CUBE_RECORD = _layout(
    SIZE,
    kind=(8, "u1"),
    player=(12, "<i4"),
    double=(16, "<i4"),
    take=(20, "<i4"),
    beaver=(24, "<i4"),
    raccoon=(28, "<i4"),
    cube=(32, "<i4"),
    position=(36, ("i1", 26)),
    analysis=(64, _CUBE_ANALYSIS),
    error=(200, "<f8"),
    dice=(208, "V3"),
    error_take=(216, "<f8"),
    rollout=(224, "<i4"),
    choice=(228, "<i4"),
    level=(232, "<i4"),
    error_beaver=(240, "<f8"),
    error_raccoon=(248, "<f8"),
    level_asked=(256, "<i4"),
    invalid=(260, "<i4"),
    error_tutor=(272, ("<f8", 2)),
    flagged=(288, "u1"),
    comment=(292, "<i4"),
    edited=(296, "u1"),
    auto_doubles=(300, "<i4"),
    time_left=(304, ("<i4", 2)),
)

_PLAY_ANALYSIS = _layout(
    2184,
    position=(0, ("i1", 26)),
    dice=(28, ("<i4", 2)),
    level=(36, "<i4"),
    score=(40, ("<i4", 2)),
    cube=(48, "<i4"),
    owner=(52, "<i4"),
    crawford=(56, "<i4"),
    jacoby=(60, "<i4"),
    count=(64, "<i4"),
    after=(68, ("i1", (32, 26))),
    moves=(900, ("i1", (32, 8))),
    levels=(1156, (np.dtype([("level", "<i2"), ("double", "u1"), ("fill", "i1")]), 32)),
    evaluations=(1284, ("<f4", (32, 7))),
    unused=(2180, "i1"),
)

MOVE_RECORD = _layout(
    SIZE,
    kind=(8, "u1"),
    before=(9, ("i1", 26)),
    after=(35, ("i1", 26)),
    player=(64, "<i4"),
    moves=(68, ("<i4", 8)),
    dice=(100, ("<i4", 2)),
    cube=(108, "<i4"),
    count=(120, "<i4"),
    analysis=(124, _PLAY_ANALYSIS),
    played=(2308, "u1"),
    error=(2312, "<f8"),
    luck=(2320, "<f8"),
    choice=(2328, "<i4"),
    equity_before=(2336, "<f8"),
    rollouts=(2344, ("<i4", 32)),
    level=(2472, "<i4"),
    level_luck=(2476, "<i4"),
    invalid=(2480, "<i4"),
    tutor=(2510, "i1"),
    error_tutor=(2512, "<f8"),
    flagged=(2520, "u1"),
    comment=(2524, "<i4"),
    edited=(2528, "u1"),
    auto_doubles=(2540, "<i4"),
)

GAME_FOOTER = _layout(
    SIZE,
    kind=(8, "u1"),
    score=(12, ("<i4", 2)),
    crawford_next=(20, "u1"),
    winner=(24, "<i4"),
    points=(28, "<i4"),
    termination=(32, "<i4"),
    error_resign=(40, "<f8"),
    error_take_resign=(48, "<f8"),
    evaluation=(56, ("<f8", 7)),
    level=(112, "<i4"),
)

MATCH_FOOTER = _layout(
    SIZE,
    kind=(8, "u1"),
    score=(12, ("<i4", 2)),
    winner=(20, "<i4"),
    elo=(24, ("<f8", 2)),
    experience=(40, ("<i4", 2)),
    date=(48, "<f8"),
)

ROLLOUT = _layout(
    ROLLOUT_SIZE,
    truncated=(0, "u1"),
    error_limited=(1, "u1"),
    truncate=(4, "<i4"),
    min_trials=(8, "<i4"),
    error_limit=(16, "<f8"),
    max_trials=(24, "<i4"),
    levels=(28, ("<i4", 2)),
    level_cut=(36, "<i4"),
    variance=(40, "u1"),
    cubeless=(41, "u1"),
    cube_levels=(44, ("<i4", 2)),
    seed_used=(60, "<i4"),
    seed=(64, "<i4"),
    both=(68, "u1"),
    interval=(72, "<f4"),
    first_roll=(80, "u1"),
    extended=(82, "u1"),
    trials=(84, "<i4"),
    double_first=(88, "u1"),
    error=(2020, ("<f4", 2)),
    result=(2028, ("<f4", (2, 7))),
    mwc=(2084, ("<f4", 2)),
    seconds=(2132, "<i4"),
    level_truncation=(2136, "<i4"),
    trials_double=(2140, "<i4"),
    as_take=(2160, "u1"),
    rotation=(2164, "<i4"),
    interrupted=(2168, "u1"),
    version=(2170, ("<u2", 2)),
)

LAYOUTS = {
    HEADER_MATCH: MATCH_HEADER,
    HEADER_GAME: GAME_HEADER,
    CUBE: CUBE_RECORD,
    MOVE: MOVE_RECORD,
    FOOTER_GAME: GAME_FOOTER,
    FOOTER_MATCH: MATCH_FOOTER,
}


def record(data: bytes, index: int) -> tuple[int, np.void | None]:
    """Return the kind of record `index` of `temp.xg`, and its fields; `None` for an unknown kind."""
    kind = data[index * SIZE + 8]
    layout = LAYOUTS.get(kind)
    return kind, None if layout is None else np.frombuffer(data, layout, 1, index * SIZE)[0]


def blank(layout: np.dtype[np.void], kind: int | None = None) -> npt.NDArray[np.void]:
    """Return one empty record, as an array of one so that its fields can be set."""
    fields = np.zeros(1, layout)
    if kind is not None:
        fields["kind"] = kind
    return fields


def short_text(field: np.void) -> str:
    """Return a short string: a byte of length, then Windows characters."""
    data: bytes = field.tobytes()
    return data[1 : 1 + data[0]].decode("cp1252", errors="replace")


def wide_text(field: npt.NDArray[np.uint16]) -> str:
    """Return a text of UTF-16 up to its closing zero."""
    return field.tobytes().decode("utf-16-le", errors="replace").partition("\0")[0]
