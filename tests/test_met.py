"""Match equity tables: the packaged ones, files of one's own, and what is refused."""

import csv
import gzip
import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest

from gammon import met
from gammon.errors import MetError, SettingError

DATA = Path(__file__).parent / "data" / "met.csv.gz"

TINY = """
name = "tiny"
length = 3
pre = [[0.5, 0.68, 0.75], [0.32, 0.5, 0.6], [0.25, 0.4, 0.5]]
post = [0.5, 0.49, 0.32]
"""


def figures(name: str) -> list[dict[str, str]]:
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["table"] == name]


PRINTED = ["kazaross-xg2", "rockwell-kazaross", "woolsey-heinrich", "jacobs-trice", "jac100", "mec", "zadeh"]


@pytest.mark.parametrize("name", PRINTED)
def test_tables_are_what_gnu_backgammon_shows(name: str) -> None:
    table = met.load(name)
    pre, post = table.tables()
    rows = figures(name)
    assert len(rows) == 675
    for row in rows:
        away, opp_away = int(row["away"]), int(row["opp_away"])
        if row["kind"] == "pre":
            ours = pre[away - 1, opp_away - 1]
            if min(away, opp_away) > 1:
                assert table.mwc(away, opp_away) == ours
        else:
            ours = post[int(row["kind"][-1]), away - 1]
        # The last cell a file holds is extrapolated by the program: the file's own figure counts.
        theirs = float(row["written"] or row["mwc"])
        assert abs(ours - theirs) < 1.2e-7, row


def test_every_packaged_table_is_sound() -> None:
    known_odd = {"jac100": "add up", "mec": "4-away", "woolsey-heinrich": "15-away"}
    for name in met.names():
        issues = met.load(name).issues()
        assert bool(issues) == (name in known_odd), issues[:3]
        assert all(known_odd[name] in issue or "one point more" in issue for issue in issues)
        pre, post = met.load(name).tables()
        assert pre.shape == (64, 64)
        assert post.shape == (2, 64)
        assert ((pre >= 0) & (pre <= 1)).all()
        assert ((post >= 0) & (post <= 1)).all()


@pytest.mark.parametrize("name", ["kazaross-xg2", "rockwell-kazaross", "jacobs-trice", "zadeh", "zadeh-1977"])
def test_extended_tables_go_on_smoothly(name: str) -> None:
    pre, post = met.load(name).tables()
    assert np.abs(pre + pre.T - 1).max() < 1e-5
    # One point more to go is worse, but not by more than a step inside the table.
    steps = -np.diff(pre, axis=0)
    assert (steps >= -1e-5).all()
    assert steps[24].max() < 1.5 * steps[23].max()
    assert (np.diff(post, axis=1) <= 0).all()


def test_a_score_one_away_is_the_crawford_game_or_after_it() -> None:
    table = met.load()
    assert table.mwc(1, 2, crawford=True) == 0.67736
    assert table.mwc(2, 1, crawford=True) == 0.32264
    assert table.mwc(2, 1) == 0.48803
    assert table.mwc(1, 2) == pytest.approx(1 - 0.48803)
    assert table.mwc(1, 1) == 0.5
    assert table.mwc(0, 5) == 1
    assert table.mwc(5, 0) == 0


@pytest.mark.parametrize(
    ("away", "opp_away", "crawford", "reason"),
    [(2, 3, True, "cannot be the Crawford game"), (0, 0, False, "only one can win")],
)
def test_impossible_scores_are_errors(away: int, opp_away: int, crawford: bool, reason: str) -> None:
    with pytest.raises(MetError, match=reason):
        met.load().mwc(away, opp_away, crawford=crawford)


@pytest.mark.parametrize("away", [-1, 65, 10**30])
def test_scores_out_of_reach_are_errors(away: int) -> None:
    with pytest.raises((SettingError, OverflowError)):
        met.load().mwc(away, 3)


def test_unknown_tables_are_errors_that_name_the_known(tmp_path: Path) -> None:
    for unknown in ("woolsy", "missing.xml", "missing.toml", ""):
        with pytest.raises(MetError, match="kazaross-xg2"):
            met.load(unknown)
    (tmp_path / "kazaross-xg2").write_text(TINY)
    with pytest.raises(MetError, match="unknown match equity table"):
        met.load(tmp_path / "kazaross-xg2")


def test_own_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = met.load(path)
    assert (table.name, table.known, table.mwc(2, 3)) == ("tiny", 3, 0.6)
    assert table.mwc(60, 64) > table.mwc(64, 60)


@pytest.mark.parametrize(
    ("change", "issue"),
    [
        (("0.68,", "0.7,"), "1-away, 2-away add up to 1.02"),
        (("0.49, 0.32", "0.3, 0.32"), "after the Crawford game"),
    ],
)
def test_odd_files_warn_but_are_used(tmp_path: Path, change: tuple[str, str], issue: str) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(TINY.replace(*change))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert met.load(path).name == "tiny"
    assert all(warning.category is met.MetWarning for warning in caught)
    assert any(issue in str(warning.message) for warning in caught), [
        str(warning.message) for warning in caught
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("0.68, 0.75]", "0.68]"), "row of the pre-Crawford table has 2 of 3"),
        (("0.6]", "1.6]"), "2-away, 3-away is 1.6"),
        (("0.6]", "nan]"), "no chance"),
        (("length = 3", "length = 4"), "length is 4"),
        (("0.49, 0.32]", "0.49, 0.32, 0.2]"), "3 x 3"),
        (("0.49, 0.32]", "-0.49, 0.32]"), "post-Crawford cell"),
        (('name = "tiny"', ""), "no 'name'"),
        (("[0.5, 0.49, 0.32]", '["a", "b", "c"]'), "something else than numbers"),
        (("pre =", "pre"), "no table in TOML"),
        (
            (
                "pre =",
                'formula = "x"\npost_crawford = {gammons = 0, free_drop = [0, 0], carried_on = true}\npre =',
            ),
            "'x'",
        ),
        (("pre =", 'formula = "normal"\npre ='), "no 'post_crawford'"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, change: tuple[str, str], reason: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(TINY.replace(*change))
    with pytest.raises(MetError, match=reason):
        met.load(path)


def test_formulas_that_give_no_chances_are_refused() -> None:
    with pytest.raises(MetError, match="no chances"):
        met.Met.normal("wild", gammons=(9.0, 0.0), free_drop=(0.0, 0.0), carried_on=True)


def xml_of(name: str) -> str:
    pre, post = met.load(name).tables()
    rows = "".join("<row>" + "".join(f"<me>{cell}</me>" for cell in row[:9]) + "</row>" for row in pre[:9])
    tables = "".join(
        f'<post-crawford-table player="{player}" type="explicit"><row>'
        + "".join(f"<me>{cell}</me>" for cell in post[player, :8])
        + "</row></post-crawford-table>"
        for player in (0, 1)
    )
    if name != "jac100":
        tables = (
            tables[: tables.index("</post-crawford-table>")].replace('"0"', '"both"')
            + "</post-crawford-table>"
        )
    return (
        '<?xml version="1.0"?>\n'
        '<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">\n'
        "<!-- made for a test -->\n<met><info><name>Nine points</name><length>9</length></info>"
        f'<pre-crawford-table type="explicit">{rows}</pre-crawford-table>{tables}</met>'
    )


@pytest.mark.parametrize("name", ["kazaross-xg2", "jac100"])
def test_gnu_backgammons_files_are_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / "nine.xml"
    path.write_text(xml_of(name))
    table = met.read_xml(path.read_text())
    assert (table.name, table.known) == ("Nine points", 9)
    ours, theirs = table.tables(), met.load(name).tables()
    np.testing.assert_array_equal(ours[0][:9, :9], theirs[0][:9, :9])
    np.testing.assert_array_equal(ours[1][:, :8], theirs[1][:, :8])
    if name == "kazaross-xg2":
        assert met.load(path) == table


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("<met>", "<table>"), "no XML"),
        (("type=", "kind="), "only 'explicit'"),
        (('<pre-crawford-table type="explicit">', '<pre-crawford-table type="zadeh">'), "'zadeh'"),
        (("<me>0.5</me>", "<me>half</me>"), "no number"),
        (("<me>0.5</me>", "<me></me>"), "no number"),
        (("<me>0.5</me>", "<me>50</me>"), "no chance"),
        (("pre-crawford-table", "table"), "no <pre-crawford-table>"),
        (('"met.dtd">', '"met.dtd" [<!ENTITY a "b">]>'), "entities"),
    ],
)
def test_bad_xml_is_refused(change: tuple[str, str], reason: str) -> None:
    with pytest.raises(MetError, match=reason):
        met.read_xml(xml_of("kazaross-xg2").replace(*change))


def test_files_that_are_no_text_or_too_long_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MetError, match="no text"):
        met.load(tmp_path / "bytes.toml")
    (tmp_path / "long.xml").write_text("<met>" + " " * met.MAX_BYTES + "</met>")
    with pytest.raises(MetError, match="larger than"):
        met.load(tmp_path / "long.xml")
    with pytest.raises(MetError, match="longer than"):
        met.read_xml("<met>" + " " * met.MAX_BYTES + "</met>")


@pytest.mark.parametrize("name", ["kazaross-xg2", "jac100", "zadeh-1977"])
def test_tables_survive_pickling_and_are_told_apart(name: str) -> None:
    table = met.load(name)
    twin = pickle.loads(pickle.dumps(table))
    assert twin == table
    assert hash(twin) == hash(table)
    assert twin.known == table.known
    others = [met.load(other) for other in met.names() if other != name]
    assert all(other != table for other in others)


def test_unequal_players_see_the_table_from_both_sides() -> None:
    table = met.load("jac100")
    assert table.mwc(3, 3) > 0.5 > table.exchanged().mwc(3, 3)
    assert table.mwc(3, 5) + table.exchanged().mwc(5, 3) == pytest.approx(1)
    assert table.mwc(3, 1) + table.exchanged().mwc(1, 3) == pytest.approx(1)
