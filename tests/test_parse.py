"""Identifiers read, written, and refused with place and reason."""

from typing import Any

import pytest

import gammon
from gammon import Position, Roll, Situation
from gammon.errors import IllegalSituationError, ParseError, SettingError
from golden import rows

XGID = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"


def test_every_field_of_a_situation() -> None:
    found = gammon.parse(XGID)
    assert found.position == Position.from_xgid(XGID)
    assert (found.length, found.score, found.away) == (7, (3, 6), (4, 1))
    assert (found.cube, found.cube_owner, found.cube_limit) == (2, "opponent", 1024)
    assert (found.crawford, found.jacoby, found.beavers) == (False, False, False)
    assert (found.roll, found.offer, found.to_act, found.seat) == (Roll(2, 1), None, "roller", 1)
    assert (found.state, found.is_over, found.format) == ("playing", False, "xgid")
    assert str(found) == XGID
    assert found.gnuid == "b9sBCIC5bYDQAA:QQnlAGAAGAAE"
    assert "Match to 7 points" in found.draw()


def test_the_top_player_on_roll() -> None:
    found = gammon.parse("-BDB-------------a------e-:1:-1:-1:42:0:0:0:5:8")
    assert (found.seat, found.cube_owner) == (0, "roller")
    assert found.position.id == "ewMAAD4gAAAAAA"
    assert found.gnuid == "ewMAAD4gAAAAAA:AQGqAAAAAAAE"


IDS = list(rows("ids.jsonl.gz"))


@pytest.mark.parametrize("row", IDS, ids=lambda row: f"{row['position_id']}:{row['match_id']}")
def test_recorded_identifiers_are_decoded_and_written_alike(row: dict[str, Any]) -> None:
    text = f"{row['position_id']}:{row['match_id']}"
    found = gammon.parse(text)
    assert str(found) == text
    assert found.position.board.tolist() == [row["board_me"], row["board_opp"]]
    roller = found.seat
    assert roller == row["player_on_roll"]
    assert found.length == row["match_length"]
    score = row.get("session_score", row["score"])
    assert found.score == (score[roller], score[1 - roller])
    assert found.cube == row["cube_value"]
    owner = {-1: None, roller: "roller", 1 - roller: "opponent"}[row["cube_owner"]]
    assert found.cube_owner == owner
    assert found.to_act == ("roller" if row["turn"] == roller else "opponent")
    assert found.crawford == bool(row["crawford"])
    assert found.roll == (Roll(*row["dice"]) if any(row["dice"]) else None)
    resigned = ["resign-single", "resign-gammon", "resign-backgammon"]
    offer = "double" if row["doubled"] else resigned[row["resigned"] - 1] if row["resigned"] else None
    assert found.offer == offer


def test_parts_not_named_are_what_a_bare_identifier_means() -> None:
    for text in ("start", "4HPwATDgc/ABMA"):
        assert Situation.from_parts(text) == gammon.parse(text)
    assert Situation.from_parts("start").cube_limit == 1024
    assert Situation.from_parts("start", cube_limit=None).cube_limit is None
    assert Situation.from_parts("start", cube_limit=64).cube_limit == 64
    for limit in (3, 10**30, -1):
        with pytest.raises(SettingError, match=f"cube_limit .*{limit}"):
            Situation.from_parts("start", cube_limit=limit)
    with pytest.raises(TypeError, match="cube_limit must be a whole number"):
        Situation.from_parts("start", cube_limit="8")  # type: ignore[arg-type]


def test_what_a_format_cannot_hold_is_said() -> None:
    situation = Situation.from_parts("start", jacoby=True, beavers=True, cube_limit=8)
    assert situation.to("xgid")[1] == []
    _, lost = situation.to("gnuid")
    assert any("beaver" in phrase for phrase in lost)
    assert any("limit" in phrase for phrase in lost)
    assert situation.to("posid") == (
        "4HPwATDgc/ABMA",
        ["everything but the position: score, cube, dice, offer and seat"],
    )
    with pytest.raises(
        SettingError, match=r"format must be one of xgid, gnuid, posid, fibs, ogid, got .sgf."
    ):
        situation.to("sgf")  # type: ignore[arg-type]


@pytest.mark.parametrize("format", ["xgid", "gnuid", "fibs", "ogid"])
def test_every_format_reads_what_it_writes(format: str) -> None:
    situation = gammon.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10")
    text, lost = situation.to(format)  # type: ignore[arg-type]
    again = gammon.parse(text)
    assert again.format == format
    assert again.position == situation.position
    assert again.roll == situation.roll
    assert again.score == situation.score
    assert (again == situation) == (not lost)


@pytest.mark.parametrize(
    ("text", "format", "reason"),
    [
        ("", "identifier", "expected an XGID"),
        ("hello world!", "identifier", "no known identifier: expected an XGID"),
        ("4HPwATDgc/ABM", "position id", "13 of 14 characters"),
        ("4HPwATDgc/AB?A", "identifier", "expected an XGID"),
        ("XGID=bBBBCBcBbccbB:0:0:1:00:0:0:3:0:10", "xgid", "13 of 26 characters, dashes lost in copying"),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:71:0:0:0:0:10",
            "xgid",
            'offset 38: the dice must be .* not "71"',
        ),
        ("XGID=-b----P-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "xgid", "the player on roll has 26 checkers"),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:5:1:00:0:0:0:0:10",
            "xgid",
            "the cube's owner must be from -1 to 1, not 5",
        ),
        ("4HPwATDgc/ABMA:cAkAAAAAAAA", "match id", "11 of 12 characters"),
        ("board:You:Opponent:1:2", "fibs board", "5 of 53 fields"),
        ("☃" * 14, "identifier", "expected an XGID"),
        ("x" * 100_000, "position id", "100000 of 14 characters"),
    ],
)
def test_unreadable_identifiers_name_format_place_and_reason(text: str, format: str, reason: str) -> None:
    with pytest.raises(ParseError, match=f"(?s)not a valid ({format}).*{reason}") as caught:
        gammon.parse(text)
    assert 0 <= caught.value.offset <= len(text.encode())
    assert len(str(caught.value)) < 1000
    with pytest.raises(ParseError):
        Position(text)


def test_each_constructor_reads_its_own_format() -> None:
    start = Position.start()
    assert Position.from_id("4HPwATDgc/ABMA") == start
    assert Position.from_xgid(Situation("start").xgid) == start
    assert Position.from_fibs(Situation("start").to("fibs")[0]) == start
    for read in (Position.from_xgid, Position.from_fibs):
        with pytest.raises(ParseError):
            read("4HPwATDgc/ABMA")
    with pytest.raises(ParseError, match="position id"):
        Position.from_id("start")


def test_wherever_a_position_is_asked_an_identifier_or_a_situation_serves() -> None:
    for given in ("start", "4HPwATDgc/ABMA", Situation("start"), Position.start()):
        assert Position(given) == Position.start()
        assert gammon.perft(given, 1).paths == 447
    with pytest.raises(TypeError, match="expected a Position, a Situation or an identifier, got int"):
        Position(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"crawford": True}, ["Crawford", "match length"]),
        ({"length": 5, "score": (2, 2), "crawford": True}, ["Crawford"]),
        ({"length": 5, "jacoby": True}, ["Jacoby"]),
        ({"length": 5, "beavers": True}, ["beavers"]),
        ({"offer": "double", "cube_owner": "opponent"}, ["does not own the cube"]),
        ({"offer": "beaver"}, ["beavers are not played"]),
        ({"offer": "double", "roll": "31"}, ["dice have been thrown"]),
        ({"cube": 16, "cube_limit": 8}, ["above"]),
        ({"offer": "double", "cube_owner": "opponent", "roll": "31"}, ["own the cube", "thrown"]),
    ],
)
def test_contradictions_are_named(parts: dict[str, object], words: list[str]) -> None:
    with pytest.raises(IllegalSituationError) as caught:
        Situation.from_parts("start", **parts)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)
    assert caught.value.problems


@pytest.mark.parametrize(
    "parts",
    [
        {"cube": 3},
        {"cube": 0},
        {"cube": 2**20},
        {"length": -1},
        {"length": 10**9},
        {"score": (-1, 0)},
        {"seat": 2},
        {"offer": "triple"},
        {"cube_owner": "me"},
        {"state": "paused"},
    ],
)
def test_parts_outside_their_range(parts: dict[str, object]) -> None:
    name, value = next(iter(parts.items()))
    with pytest.raises(SettingError, match=name) as caught:
        Situation.from_parts("start", **parts)  # type: ignore[arg-type]
    assert str(value if not isinstance(value, tuple) else value[0]) in str(caught.value)
