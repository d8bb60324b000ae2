"""The language of patterns: parsed once, it says of many positions at a time which of them fit.

Its grammar is that of Python's expressions, of which comparisons, `and`, `or`, `not`, arithmetic and a few
functions are taken; everything is checked when a pattern is made, so that a name that does not exist is said
then, and not after an hour of reading.
"""

import ast
import difflib
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gammon._typing import Boards
from gammon.errors import PatternError
from gammon.patterns._columns import BAR, NAMES, SIDES, About, Kind
from gammon.patterns._rows import Rows

LONGEST_PATTERN = 4_000
"""Characters of the longest pattern."""

DEEPEST = 60
"""Brackets and operators within one another, at most."""

LARGEST = 2**53
"""Whole numbers up to this are exact as floating point numbers, too."""

_PASS = re.compile(r"""("[^"]*"|'[^']*')|\bpass\b""")
"""The word pass, which Python keeps for itself; and what stands in quotes, where it may stand."""

_TEMPLATE = re.compile(r"[-?A-Oa-o]{26}")

Asked: TypeAlias = Callable[[Rows], Any]


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a pattern: what it gives, and how."""

    kind: Kind
    of: Asked
    about: About | None = None
    """The name it is, if it is one."""


class Pattern:
    """A description of positions and decisions, such as `race and lead < -8 and kind == double`.

    `text` is an expression over `NAMES`, without a prefix or with `me.` for the player on roll, with `opp.`
    for the other; `me[6]` is how many checkers he has on his 6-point, `opp[25]` the other's on the bar.
    `like("...")` compares with a board drawn as in an XGID (docs/patterns.md).

    Raises `PatternError`, which says where and what, for anything else.

    >>> import gammon
    >>> from gammon.patterns import Pattern
    >>> Pattern("me[8] > 2 and opp.anchors == 1").fits(gammon.Position.start().board[None]).tolist()
    [True]
    >>> Pattern("pip > 100")
    Traceback (most recent call last):
    gammon.errors.PatternError: pattern, column 1: unknown name 'pip', perhaps 'pips'?
    """

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a pattern is a text, got {type(text).__name__}")
        self.text = text
        reader = _Reader()
        self._asked = reader.read(text)
        self.names = frozenset(reader.used)
        """The names it asks for, without `me.` and `opp.`."""

    @property
    def needs_game(self) -> bool:
        """Whether it asks for what a position alone does not have."""
        return any(NAMES[name].of_game for name in self.names)

    def __call__(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Return which rows fit, `bool[n]`."""
        with np.errstate(all="ignore"):
            found = np.asarray(self._asked(rows))
        return np.broadcast_to(found.astype(np.bool_), (len(rows),))

    def fits(self, boards: Boards) -> npt.NDArray[np.bool_]:
        """Return which positions fit, `bool[n]`, of `uint8[n, 2, 25]`.

        Raises `PatternError` if the pattern asks for more than a position, and what `gammon.features` does.
        """
        if self.needs_game:
            named = ", ".join(sorted(name for name in self.names if NAMES[name].of_game))
            raise PatternError(self.text, 0, f"a position alone has no {named}")
        return self(Rows(boards))

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Pattern) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.text,)


class _Reader:
    """Makes a function of the text of a pattern."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self._text = ""
        self._depth = 0

    def read(self, text: str) -> Asked:
        # A pattern may go over several lines; comments and blanks around it do not matter.
        self._text = " ".join(text.split())
        if not self._text:
            raise PatternError(text, 0, "it is empty")
        if len(self._text) > LONGEST_PATTERN:
            raise PatternError(self._text[:60], 0, f"it is longer than {LONGEST_PATTERN} characters")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a pattern is no program: what is odd in it is said below
                written = _PASS.sub(lambda found: found[1] or "Pass", self._text)
                tree = ast.parse(written, mode="eval").body
        except SyntaxError as error:
            raise self._not_understood(error) from None
        except (RecursionError, MemoryError, ValueError) as error:
            raise PatternError(self._text, 0, f"not understood: {error}") from None
        found = self._part(tree)
        if found.kind != "flag":
            raise self._wrong(tree, f"this is a {found.kind}: compare it with something")
        return found.of

    def _not_understood(self, error: SyntaxError) -> PatternError:
        at = error.offset or 0
        if error.msg == "invalid syntax" and not 0 < at <= len(self._text):
            return PatternError(self._text, len(self._text), "the pattern ends too early")
        word = {"&&": "and", "||": "or"}.get(self._text[max(at - 2, 0) : at])
        hint = f" (`{word}` instead of `{self._text[at - 2 : at]}`)" if word else ""
        return PatternError(self._text, at, f"not understood: {error.msg}{hint}")

    def _wrong(self, node: ast.AST, text: str) -> PatternError:
        return PatternError(self._text, getattr(node, "col_offset", -1) + 1, text)

    def _part(self, node: ast.expr) -> _Part:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._wrong(node, f"more than {DEEPEST} levels within one another")
        try:
            return self._of(node)
        finally:
            self._depth -= 1

    def _of(self, node: ast.expr) -> _Part:
        match node:
            case ast.BoolOp():
                return self._junction(node)
            case ast.UnaryOp(op=ast.Not()):
                operand = self._flag(node.operand)
                return _Part("flag", lambda rows: ~np.asarray(operand(rows)))
            case ast.UnaryOp(op=ast.USub()):
                number = self._number(node.operand)
                return _Part("number", lambda rows: -number(rows))
            case ast.BinOp():
                return self._arithmetic(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.Call():
                return self._call(node)
            case ast.Subscript():
                return self._checkers(node)
            case ast.Attribute(value=ast.Name(id=side)) if side in SIDES:
                return self._named(node, node.attr, side)
            case ast.Name():
                return self._named(node, node.id, "me")
            case ast.Constant():
                return self._constant(node)
            case _:
                raise self._wrong(node, f"{type(node).__name__.lower()} is not part of the language")

    def _constant(self, node: ast.Constant) -> _Part:
        value = node.value
        if isinstance(value, bool):
            flag = np.bool_(value)
            return _Part("flag", lambda rows: flag)
        if isinstance(value, int | float):
            if not abs(value) <= LARGEST:
                raise self._wrong(node, f"a number must be at most 2**53, got {str(value)[:30]}")
            return _Part("number", lambda rows: value)
        if isinstance(value, str):
            return _Part("text", lambda rows: value)
        raise self._wrong(node, f"{value!r} is no number and no text")

    def _named(self, node: ast.expr, name: str, side: str) -> _Part:
        about = NAMES.get(name)
        if name in SIDES:
            raise self._wrong(node, f"{name} is a player: ask for {name}.pips or {name}[6], say")
        if about is None:
            close = difflib.get_close_matches(name, NAMES, 1)
            raise self._wrong(node, f"unknown name {name!r}" + (f", perhaps {close[0]!r}?" if close else ""))
        if isinstance(node, ast.Attribute) and not about.by_side:
            raise self._wrong(node, f"{name} is not something that each player has")
        self.used.add(name)
        column = f"opp.{name}" if side == "opp" else name
        return _Part(about.kind, lambda rows: rows[column], about)

    def _checkers(self, node: ast.Subscript) -> _Part:
        value = node.value
        if not (isinstance(value, ast.Name) and value.id in SIDES):
            raise self._wrong(node, "only me[...] and opp[...] have points")
        point = node.slice
        if not (isinstance(point, ast.Constant) and type(point.value) is int and 1 <= point.value <= BAR):
            raise self._wrong(point, f"a point is a number from 1 to 24, or {BAR} for the bar")
        side, index = SIDES.index(value.id), point.value - 1
        return _Part("number", lambda rows: rows.boards[:, side, index].astype(np.int64))

    def _number(self, node: ast.expr) -> Asked:
        part = self._part(node)
        if part.kind == "text":
            raise self._wrong(node, "a number is expected here, not a text")
        if part.kind == "flag":
            return lambda rows: np.asarray(part.of(rows)).astype(np.int64)
        return part.of

    def _flag(self, node: ast.expr) -> Asked:
        part = self._part(node)
        if part.kind != "flag":
            raise self._wrong(node, f"this is a {part.kind}: compare it with something")
        return part.of

    def _junction(self, node: ast.BoolOp) -> _Part:
        parts = [self._flag(value) for value in node.values]
        joined = np.logical_and if isinstance(node.op, ast.And) else np.logical_or

        def of(rows: Rows) -> Any:
            found = parts[0](rows)
            for part in parts[1:]:
                found = joined(found, part(rows))
            return found

        return _Part("flag", of)

    def _arithmetic(self, node: ast.BinOp) -> _Part:
        operation = _ARITHMETIC.get(type(node.op))
        if operation is None:
            raise self._wrong(node, f"{type(node.op).__name__.lower()} is not part of the language")
        left, right = self._number(node.left), self._number(node.right)
        return _Part("number", lambda rows: operation(left(rows), right(rows)))

    def _comparison(self, node: ast.Compare) -> _Part:
        """Compare one after the other, as in `2 <= me[6] < 5`."""
        sides = [node.left, *node.comparators]
        compared = [
            self._pair(left, operator, right)
            for left, operator, right in zip(sides[:-1], node.ops, sides[1:], strict=True)
        ]

        def of(rows: Rows) -> Any:
            found = compared[0](rows)
            for other in compared[1:]:
                found = np.logical_and(found, other(rows))
            return found

        return _Part("flag", of)

    def _pair(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Asked:
        if isinstance(operator, ast.In | ast.NotIn):
            found = self._membership(left, right)
            return found if isinstance(operator, ast.In) else lambda rows: ~np.asarray(found(rows))
        operation = _COMPARED.get(type(operator))
        if operation is None:
            raise self._wrong(left, "compare by <, <=, ==, !=, >=, >, in, or not in")
        one, other = self._alike(left, right)
        if one.kind == "text" and not isinstance(operator, ast.Eq | ast.NotEq):
            raise self._wrong(left, "texts are compared by == and != only")
        return lambda rows: operation(one.of(rows), other.of(rows))

    def _alike(self, left: ast.expr, right: ast.expr) -> tuple[_Part, _Part]:
        """Return two sides of a comparison; a bare word beside a text is one of the texts it may be."""
        text_left, text_right = self._column_of_text(left), self._column_of_text(right)
        if text_left is not None:
            return self._part(left), self._word(right, text_left)
        if text_right is not None:
            return self._word(left, text_right), self._part(right)
        one, other = self._part(left), self._part(right)
        if (one.kind == "text") != (other.kind == "text"):
            raise self._wrong(left, f"a {one.kind} is compared with a {other.kind}")
        return one, other

    def _column_of_text(self, node: ast.expr) -> About | None:
        name = node.id if isinstance(node, ast.Name) else ""
        about = NAMES.get(name)
        return about if about is not None and about.kind == "text" else None

    def _word(self, node: ast.expr, about: About) -> _Part:
        match node:
            case ast.Name():
                word = "pass" if node.id == "Pass" else node.id
            case ast.Constant(value=str()):
                word = str(node.value)
            case _:
                raise self._wrong(node, "a word or a text in quotes is expected here")
        if about.words and word not in about.words:
            raise self._wrong(node, f"{word!r} is none of {', '.join(about.words)}")
        return _Part("text", lambda rows: word)

    def _membership(self, left: ast.expr, right: ast.expr) -> Asked:
        """`phase in (race, bearoff)`, `roll in (31, 42)`, or a piece of a text: `"bar/" in made`."""
        if self._column_of_text(right) is not None and isinstance(left, ast.Constant):
            piece, whole = left.value, self._part(right).of
            if not isinstance(piece, str):
                raise self._wrong(left, "a text in quotes is expected here")
            return lambda rows: np.char.find(whole(rows), piece) >= 0
        if not isinstance(right, ast.Tuple | ast.List) or not right.elts:
            raise self._wrong(right, "after in comes a list in brackets, such as (31, 42)")
        equal = [self._pair(left, ast.Eq(), one) for one in right.elts]

        def of(rows: Rows) -> Any:
            found = equal[0](rows)
            for other in equal[1:]:
                found = np.logical_or(found, other(rows))
            return found

        return of

    def _call(self, node: ast.Call) -> _Part:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if node.keywords or name not in ("abs", "min", "max", "like"):
            raise self._wrong(node, "the functions are abs, min, max and like")
        if name == "like":
            return self._like(node)
        parts = [self._number(argument) for argument in node.args]
        if (len(parts) != 1) if name == "abs" else (len(parts) < 2):
            raise self._wrong(
                node, f"{name} takes {'one number' if name == 'abs' else 'two numbers or more'}"
            )
        if name == "abs":
            return _Part("number", lambda rows: np.abs(parts[0](rows)))
        joined = np.minimum if name == "min" else np.maximum

        def of(rows: Rows) -> Any:
            found = parts[0](rows)
            for part in parts[1:]:
                found = joined(found, part(rows))
            return found

        return _Part("number", of)

    def _like(self, node: ast.Call) -> _Part:
        argument = node.args[0] if len(node.args) == 1 else None
        text = argument.value if isinstance(argument, ast.Constant) else None
        if not (isinstance(text, str) and _TEMPLATE.fullmatch(text)):
            raise self._wrong(
                node,
                "like takes 26 characters in quotes as an XGID has them: letters, - for empty, ? for any",
            )
        tests: list[tuple[int, int, int]] = []  # side, place, at least so many
        empty: list[tuple[int, int]] = []
        for place, letter in enumerate(text):
            if letter == "-":
                empty += [(0, place - 1)] if place else []
                empty += [(1, 24 - place)] if place < 25 else []
            elif letter != "?":
                side = int(letter.islower())
                own = (place if side == 0 else 25 - place) - 1
                if own < 0:
                    raise self._wrong(node, f"{letter!r} stands on the other player's bar")
                tests.append((side, own, ord(letter.upper()) - ord("A") + 1))

        def of(rows: Rows) -> Any:
            found = np.ones(len(rows), np.bool_)
            for side, place, least in tests:
                found &= rows.boards[:, side, place] >= least
            for side, place in empty:
                found &= rows.boards[:, side, place] == 0
            return found

        return _Part("flag", of)


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.true_divide,
    ast.Mod: np.mod,
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}

__all__ = ["Pattern"]
