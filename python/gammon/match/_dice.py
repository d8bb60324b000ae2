"""Where dice come from: a seed, a list, or two secrets that neither player could choose to his advantage.

Dice are a function of the game's number and the throw's within the game, both as `Game` counts them: throws
for the start come first. Each throw is two dice in order; in a throw for the start the first is seat 0's.
"""

import hashlib
import secrets as system
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

from gammon._native import Roll, seeded_throw
from gammon._typing import RollLike
from gammon.errors import SettingError
from gammon.match._records import Opening, Rolled

if TYPE_CHECKING:
    from gammon.match._series import Series


class Dice(Protocol):
    """Anything that gives throw `turn` of game `game`; any function with these arguments will do."""

    def __call__(self, game: int, turn: int, /) -> tuple[int, int]: ...


@dataclass(frozen=True, slots=True)
class SeededDice:
    """The dice of a seed: game `g` is trial `g` of it.

    Raises `SettingError` for a seed that is not from 0 to 2**64 - 1.

    >>> from gammon.match import SeededDice
    >>> dice = SeededDice(1)
    >>> dice(1, 0) == dice(1, 0), len({dice(1, turn) for turn in range(1000)})
    (True, 36)
    """

    seed: int

    def __post_init__(self) -> None:
        seeded_throw(self.seed, 0, 0)

    def __call__(self, game: int, turn: int) -> tuple[int, int]:
        return seeded_throw(self.seed, game, turn)


class GivenDice:
    """Dice thrown elsewhere, or written down: they are handed out in the order they are given.

    Texts such as '31' or pairs of numbers keep their order, a `Roll` is taken as it is. A throw that was
    handed out stays the same if it is asked for again, as after `undo`. Raises `SettingError` when there are
    no more.

    >>> from gammon.match import GivenDice
    >>> dice = GivenDice(["13", (6, 2)])
    >>> dice(1, 0), dice(1, 1), dice(1, 0)
    ((1, 3), (6, 2), (1, 3))
    """

    def __init__(self, throws: Iterable[RollLike]) -> None:
        self._coming = iter(throws)
        self._thrown: dict[tuple[int, int], tuple[int, int]] = {}

    def __call__(self, game: int, turn: int) -> tuple[int, int]:
        known = self._thrown.get((game, turn))
        if known is None:
            try:
                known = _ordered(next(self._coming))
            except StopIteration:
                raise SettingError(f"no more dice: {len(self._thrown)} throws were given") from None
            self._thrown[game, turn] = known
        return known


def _ordered(throw: RollLike) -> tuple[int, int]:
    if isinstance(throw, Roll):
        return throw.high, throw.low
    numbers = [int(sign) for sign in throw if sign.isdigit()] if isinstance(throw, str) else list(throw)
    first, second = (int(number) for number in numbers) if len(numbers) == 2 else (0, 0)
    Roll(first, second)  # raises IllegalRollError for what is none
    return first, second


_COMMITMENT = b"gammon dice commitment"
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class FairDice:
    """Dice that follow from a secret of each player, to which both committed before either was known.

    Each player draws a secret (`new_secret`), tells its `commitment`, and only when he has the other's tells
    the secret itself to whoever throws the dice. Afterwards both secrets are published with the match, and
    `verify` shows that no throw was made up. Neither could steer the dice, as one secret nobody knows makes
    them random; whoever holds both secrets during the match can foresee them, and must be trusted with that.

    A die is a byte of SHA-256(secret 0, secret 1, game, throw, block), the last three as four bytes, highest
    first: bytes from 252 are left out, the others modulo 6 are the dice less 1. The first two make the
    throw; blocks are numbered from 0, a further one serves if a block has not two. A commitment is SHA-256
    of the ASCII text 'gammon dice commitment', the seat as one byte, and the secret.

    Raises `SettingError` if a secret is not 32 bytes in hexadecimal, or does not belong to its commitment.

    >>> from gammon.match import FairDice
    >>> dice = FairDice.of("00" * 32, "ff" * 32)
    >>> dice(1, 0), dice(1, 1)
    ((3, 2), (5, 5))
    """

    commitments: tuple[str, str]
    """What each player told before the match, in hexadecimal."""
    secrets: tuple[str, str] | None = field(default=None, repr=False)
    """Both secrets in hexadecimal; `None` while they are not known."""

    def __post_init__(self) -> None:
        for seat, text in enumerate(self.commitments):
            _hexadecimal(f"commitment {seat}", text)
        if self.secrets is None:
            return
        for seat, secret in enumerate(self.secrets):
            if self.commitment(seat, secret) != self.commitments[seat].lower():
                raise SettingError(f"the secret of seat {seat} does not belong to its commitment")

    @staticmethod
    def new_secret() -> str:
        """Return a secret drawn by the operating system's generator."""
        return system.token_hex(_SECRET_BYTES)

    @staticmethod
    def commitment(seat: int, secret: str) -> str:
        """Return what the player at a seat tells of his secret before the match."""
        data = _hexadecimal(f"secret {seat}", secret)
        return hashlib.sha256(_COMMITMENT + bytes([seat]) + data).hexdigest()

    @classmethod
    def of(cls, first: str, second: str) -> Self:
        """Return the dice of the secrets of seat 0 and seat 1, with their commitments."""
        return cls((cls.commitment(0, first), cls.commitment(1, second)), (first.lower(), second.lower()))

    def reveal(self, first: str, second: str) -> Self:
        """Return the same with both secrets. Raises `SettingError` if one is not what was committed to."""
        return type(self)(self.commitments, (first.lower(), second.lower()))

    def __call__(self, game: int, turn: int) -> tuple[int, int]:
        if self.secrets is None:
            raise SettingError("the secrets of the dice are not known yet: reveal them first")
        key = b"".join(bytes.fromhex(secret) for secret in self.secrets)
        dice: list[int] = []
        block = 0
        while len(dice) < 2:
            numbers = b"".join(number.to_bytes(4, "big") for number in (game, turn, block))
            dice += [byte % 6 + 1 for byte in hashlib.sha256(key + numbers).digest() if byte < 252]
            block += 1
        return dice[0], dice[1]


def _hexadecimal(name: str, text: str) -> bytes:
    try:
        data = bytes.fromhex(text)
    except (TypeError, ValueError):
        data = b""
    if len(data) != _SECRET_BYTES:
        raise SettingError(f"{name} must be {_SECRET_BYTES} bytes in hexadecimal, got {text!r}")
    return data


def verify(series: "Series", dice: Callable[[int, int], tuple[int, int]] | None = None) -> list[str]:
    """Return every throw of a match that is not what its dice say, one sentence each; empty if all are.

    By default the dice recorded with the match are asked: those of two secrets, whose commitments must be
    the ones the players told, or those of a seed. Raises `SettingError` if none are, or the secrets are not
    known.

    >>> from gammon.match import FairDice, Match, verify
    >>> match = Match(1, dice=FairDice.of("00" * 32, "ff" * 32))
    >>> match.new_game().roll()
    Roll(3, 2)
    >>> verify(match)
    []
    """
    source = series.dice if dice is None else dice
    if source is None:
        raise SettingError("the match does not say where its dice came from")
    problems: list[str] = []
    for game in series.games:
        turn = 0
        started = False
        for moment in game:
            record = moment.record
            where = f"game {game.number}, record {moment.index}"
            if isinstance(record, Opening):
                for throw in record.throws:
                    if source(game.number, turn) != throw:
                        problems.append(f"{where}: throw {turn} is {throw}, not {source(game.number, turn)}")
                    turn += 1
                started = game.terms.rules.opening == "use_dice"
            elif isinstance(record, Rolled):
                if turn == 0:
                    problems.append(f"{where}: the throws for the start are not recorded")
                expected = source(game.number, turn - 1 if started else turn)
                if Roll(*expected) != record.roll:
                    problems.append(f"{where}: the roll is {record.roll}, not {Roll(*expected)}")
                turn += not started
                started = False
    return problems
