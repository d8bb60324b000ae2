"""Match equity tables: the chance to win a match from every score.

>>> from gammon import met
>>> table = met.load()
>>> table.name, table.mwc(2, 4), table.mwc(1, 3, crawford=True)
('Kazaross-XG2', 0.67168, 0.75076)
>>> met.names()[:3]
['jac100', 'jacobs-trice', 'kazaross-xg2']
"""

import functools
import os
import tomllib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from gammon import _data
from gammon._native import Met
from gammon.errors import MetError

__all__ = ["DEFAULT", "Met", "MetWarning", "load", "names", "read_toml", "read_xml"]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__


DEFAULT = "kazaross-xg2"
"""The table used when none is named."""

MAX_BYTES = 1_000_000
"""Larger files are no match equity tables."""


class MetWarning(UserWarning):
    """A table of the user's own has cells that contradict one another."""


def names() -> list[str]:
    """Return the names of the tables that come with the package."""
    folder = _data.packaged("met")
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


def load(table: str | os.PathLike[str] | Met = DEFAULT) -> Met:
    """Return a packaged table by its name, or read a file.

    Files are either text in the layout of the packaged ones (`.toml`) or GNU Backgammon's (`.xml`). Anything
    odd about a file (chances that do not add up to 1, or rise with the points needed) is a `MetWarning`.

    Raises `MetError` if there is no such table or the file holds none; no other table takes its place.
    """
    if isinstance(table, Met):
        return table
    if isinstance(table, str) and table.lower() in names():
        return _packaged(table.lower())
    path = Path(table)
    readers: dict[str, Callable[[str], Met]] = {".toml": read_toml, ".xml": read_xml}
    reader = readers.get(path.suffix.lower())
    if reader is None or not path.is_file():
        known = ", ".join(names())
        raise MetError(
            f"unknown match equity table {os.fspath(table)!r}: no .toml or .xml file, nor one of {known}"
        )
    if path.stat().st_size > MAX_BYTES:
        raise MetError(f"{path} is larger than {MAX_BYTES} bytes: no match equity table is")
    try:
        met = reader(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise MetError(f"{path} is no text in UTF-8: {error}") from error
    for issue in met.issues():
        warnings.warn(f"{path.name}: {issue}", MetWarning, stacklevel=2)
    return met


@functools.cache
def _packaged(name: str) -> Met:
    return read_toml(_data.packaged("met", f"{name}.toml").read_text(encoding="utf-8"))


def read_toml(text: str) -> Met:
    """Read a table in the layout of the packaged ones.

    `name`, `length`, `pre` (rows for the first player's points away, columns for the other's; the first of
    either is the Crawford game) and `post` (the trailer's chances after it; two lists if the players are
    unequal, the first player as the trailer first). Or `formula = "normal"` or `"zadeh"` with its parameters.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MetError(f"no table in TOML: {error}") from error
    try:
        return _from_values(values)
    except KeyError as error:
        raise MetError(f"the table has no {error.args[0]!r}") from error
    except TypeError as error:
        raise MetError(f"the table holds something else than numbers: {error}") from error


def _from_values(values: dict[str, Any]) -> Met:
    name = values["name"]
    formula = values.get("formula")
    if formula is None:
        post = values["post"]
        met = Met(name, values["pre"], post if post and isinstance(post[0], list) else [post])
        if values["length"] != met.known:
            raise MetError(f"length is {values['length']}, but there are {met.known} rows")
        return met
    after = {key: values["post_crawford"][key] for key in ("gammons", "free_drop", "carried_on")}
    if formula == "normal":
        rate = after.pop("gammons")
        first, second = rate if isinstance(rate, list) and len(rate) == 2 else (rate, rate)
        return Met.normal(name, gammons=(first, second), **after)
    if formula == "zadeh":
        keys = ("doubler_gammons", "taker_gammons", "redouble_waste", "double_waste")
        return Met.zadeh(name, **{key: values[key] for key in keys}, **after)
    raise MetError(f"unknown formula {formula!r}: expected 'normal' or 'zadeh'")


def read_xml(text: str) -> Met:
    """Read a table of GNU Backgammon's, whose cells must be written out.

    Its computed tables (types `zadeh` and `mec`) are refused.
    """
    if len(text) > MAX_BYTES:
        raise MetError(f"the text is longer than {MAX_BYTES} characters: no match equity table is")
    if "<!ENTITY" in text:
        raise MetError("a match equity table declares no entities")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise MetError(f"no XML: {error}") from error
    if root.tag != "met":
        raise MetError(f"the XML holds <{root.tag}>, not <met>")
    name = (root.findtext("info/name") or "").strip() or "unnamed"
    pre = [_cells(row) for row in _explicit(root, "pre-crawford-table").findall("row")]
    tables = root.findall("post-crawford-table")
    if not tables:
        raise MetError("the table has no <post-crawford-table>")
    rows = {}
    for table in tables:
        if table.get("type") != "explicit":
            raise MetError(f"<post-crawford-table> of type {table.get('type')!r}: only 'explicit' is read")
        row = table.find("row")
        rows[table.get("player", "both")] = _cells(table if row is None else row)
    post = [rows["both"]] if "both" in rows else [rows[player] for player in ("0", "1") if player in rows]
    return Met(name, pre, post)


def _explicit(root: ElementTree.Element, tag: str) -> ElementTree.Element:
    table = root.find(tag)
    if table is None:
        raise MetError(f"the table has no <{tag}>")
    if table.get("type") != "explicit":
        raise MetError(f"<{tag}> of type {table.get('type')!r}: only 'explicit' is read")
    return table


def _cells(row: ElementTree.Element) -> list[float]:
    cells = [(cell.text or "").strip() for cell in row.findall("me")]
    try:
        return [float(cell) for cell in cells]
    except ValueError as error:
        raise MetError(f"a cell is no number: {error}") from error
