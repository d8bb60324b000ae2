"""Trictrac: points for what a throw could do, then two strictly ruled moves.

Numbers in comments are the paragraphs of the rules: 3 moving, 4 hits, 5 filling and keeping, 6 other
points, 7 marking, 8 staying or leaving, 9 restarts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from reference.variants.state import Flags, Pair, State, first, side
from reference.variants.turns import Game, Result

CORNER, HIS_CORNER = 13, 12
JANS = {"petit": range(19, 25), "grand": range(13, 19), "retour": range(1, 7)}
CAPPED = 3  # turns are told apart up to here


@dataclass(frozen=True)
class Marking:
    """Points and holes of both; the first of every pair is the player who throws, "me"."""

    pts: Pair = (0, 0)
    clean: Flags = (True, True)
    holes: Pair = (0, 0)
    gclean: Flags = (True, True)
    runs: Pair = (0, 0)  # holes in a row now, and the most there were: for "a ecrire" only
    best_runs: Pair = (0, 0)

    def flip(self) -> Marking:
        return Marking(
            self.pts[::-1],
            self.clean[::-1],
            self.holes[::-1],
            self.gclean[::-1],
            self.runs[::-1],
            self.best_runs[::-1],
        )

    def mark(self, who: int, points: int) -> tuple[Marking, int]:
        """7: player `who` marks so many points; also the holes he wins."""
        if points <= 0:
            return self, 0
        other = 1 - who
        pts, clean = list(self.pts), list(self.clean)
        holes, gclean = list(self.holes), list(self.gclean)
        runs, best = list(self.runs), list(self.best_runs)
        if pts[who] == 0:
            clean[who] = True
        if pts[other] > 0:
            clean[other] = False
        total, won = pts[who] + points, 0
        while total >= 12:
            won += 2 if clean[who] else 1
            total -= 12
            pts[other] = 0
            clean[who] = True
        pts[who] = total
        if won:
            if holes[who] == 0:
                gclean[who] = True
            if holes[other] > 0:
                gclean[other] = False
            holes[who] += won
            runs[who], runs[other] = runs[who] + won, 0
            best[who] = max(best[who], runs[who])
        marked = Marking(
            (pts[0], pts[1]),
            (clean[0], clean[1]),
            (holes[0], holes[1]),
            (gclean[0], gclean[1]),
            (runs[0], runs[1]),
            (best[0], best[1]),
        )
        return marked, won


def marking_from_case(tt: Mapping[str, Any]) -> Marking:
    def flags(name: str) -> Flags:
        value = tt.get(name) or (True, True)
        return (bool(value[0]), bool(value[1]))

    def pair(name: str) -> Pair:
        value = tt.get(name) or (0, 0)
        return (value[0], value[1])

    return Marking(
        pair("pts"), flags("clean"), pair("holes"), flags("gclean"), pair("runs"), pair("best_runs")
    )


@dataclass(frozen=True)
class Turn:
    """The checkers moved, each (from, to, by which numbers), and what it leads to."""

    moves: tuple[tuple[int, int, tuple[int, ...]], ...]
    after: State
    overflows: int = 0


@dataclass(frozen=True)
class Event:
    """Points of one kind in one throw; `who` is 0 for the thrower."""

    name: str
    who: int
    points: int


@dataclass(frozen=True)
class Next:
    """What a decision leads to; "me" is still the thrower.

    `then`: "opp" the other player throws, "throw" the thrower throws again, "choose" he has marked and stays
    or leaves, "play" he stays and plays this throw, "mark" the other player marks what he is due, "over" the
    game has ended.
    """

    state: State
    marking: Marking
    then: str
    due: int = 0


class Trictrac(Game):
    name = "trictrac"
    prefix = "trictrac"
    start_points: ClassVar[dict[int, int]] = {24: 15}
    opening = "use_dice"
    later = "opening"
    defaults: ClassVar[dict[str, Any]] = {
        "stake": "double",
        "ecoles": False,
        "misery_pile": False,
        "target": 12,
        "mode": "ordinaire",
        "rounds": 8,
    }

    # -- 3: moving

    def able(self, state: State, highest: int) -> bool:
        """3.6: whether the enemy can still fill the jan whose highest point this is (his numbering)."""
        return all(
            sum(state.opp[point:25]) >= 2 * (highest - point + 1) for point in range(highest - 5, highest + 1)
        )

    def rests(self, state: State, point: int) -> bool:
        """3.2: whether a chain may stop on its way here."""
        return state.opp[25 - point] == 0 and (point > 6 or not self.able(state, 24))

    def stops(self, state: State, point: int) -> bool:
        """3.1, 3.4, 3.6: whether a checker may stay here (3.3 is asked of the whole turn)."""
        if state.opp[25 - point] or point == HIS_CORNER:
            return False
        if point <= 6:
            return not self.able(state, 24)
        return point >= 13 or not self.able(state, 18)

    def exit(self, state: State, point: int, die: int) -> tuple[State, int] | None:
        """3.7: a checker leaves; also whether the number was larger than needed."""
        if any(state.me[7:]) or die < point or (die > point and state.rearmost() > point):
            return None
        return self.borne_off(state, point), int(die > point)

    def one_number(self, state: State, die: int) -> Iterator[Turn]:
        for point in range(24, 0, -1):
            if not state.me[point]:
                continue
            if point > die:
                if self.stops(state, point - die):
                    after = state.with_checkers(point, -1).with_checkers(point - die, 1)
                    yield Turn(((point, point - die, (die,)),), after)
            elif left := self.exit(state, point, die):
                yield Turn(((point, 0, (die,)),), *left)

    def chains(self, state: State, one: int, two: int) -> Iterator[Turn]:
        """One checker plays both numbers in this order."""
        for point in range(24, one, -1):
            rest = point - one
            if not state.me[point] or not self.rests(state, rest):
                continue
            resting = state.with_checkers(point, -1).with_checkers(rest, 1)
            if rest > two:
                if self.stops(state, rest - two):
                    after = resting.with_checkers(rest, -1).with_checkers(rest - two, 1)
                    yield Turn(((point, rest - two, (one, two)),), after)
            elif left := self.exit(resting, rest, two):
                yield Turn(((point, 0, (one, two)),), *left)

    def power(self, state: State, dice: tuple[int, int]) -> Iterator[Turn]:
        """3.5: the corner taken by power."""
        if state.me[CORNER] or state.opp[CORNER]:
            return
        if self.two_checkers(state, 13, dice) or not self.two_checkers(state, 12, dice):
            return
        after = state
        for die in dice:
            after = after.with_checkers(12 + die, -1).with_checkers(CORNER, 1)
        yield Turn(tuple((12 + die, CORNER, (die,)) for die in dice), after)

    @staticmethod
    def two_checkers(state: State, point: int, dice: tuple[int, int]) -> bool:
        """Whether two checkers stand where the two numbers bring them to `point`."""
        one, two = dice
        if one == two:
            return state.me[point + one] >= 2
        return state.me[point + one] >= 1 and state.me[point + two] >= 1

    def two_numbers(self, state: State, dice: tuple[int, int]) -> Iterator[Turn]:
        for one, two in {dice, dice[::-1]}:
            for start in self.one_number(state, one):
                for rest in self.one_number(start.after, two):
                    yield Turn(start.moves + rest.moves, rest.after, start.overflows + rest.overflows)
            yield from self.chains(state, one, two)
        yield from self.power(state, dice)

    def playable(self, state: State, dice: tuple[int, int]) -> tuple[int, list[Turn]]:
        """T of 5: the turns left after obligations i and ii, and how many numbers they use."""

        def settled(turns: Iterator[Turn]) -> list[Turn]:
            return [turn for turn in turns if turn.after.me[CORNER] != 1]  # 3.3

        used, turns = 2, settled(self.two_numbers(state, dice))
        if not turns:
            used = 1
            turns = settled(self.one_number(state, max(dice))) or settled(self.one_number(state, min(dice)))
        if not turns:
            return 0, [Turn((), state)]
        fewest = min(turn.overflows for turn in turns)
        return used, [turn for turn in turns if turn.overflows == fewest]

    # -- 5: jans

    @staticmethod
    def full(state: State, jan: range) -> bool:
        return all(state.me[point] >= 2 for point in jan)

    def holds(self, state: State, name: str) -> bool:
        return state.me[CORNER] == 15 if name == "misery" else self.full(state, JANS[name])

    def jan_points(self, state: State, dice: tuple[int, int], turns: list[Turn], name: str) -> int:
        """What keeping or filling one jan is worth; 0 if no turn does."""
        good = [turn for turn in turns if self.holds(turn.after, name)]
        if not good:
            return 0
        value = 6 if dice[0] == dice[1] else 4
        if name == "misery" or self.holds(state, name):
            return value
        jan = JANS[name]
        missing = [point for point in jan for _ in range(2 - min(2, state.me[point]))]
        if len(missing) != 1:
            return value
        return value * max(1, self.ways(state, dice, good, jan, missing[0]))

    @staticmethod
    def ways(state: State, dice: tuple[int, int], good: list[Turn], jan: range, missing: int) -> int:
        """By how many of the means a surplus checker can complete the jan."""

        def surplus(point: int) -> bool:
            return point <= 24 and state.me[point] > (2 if point in jan else 0)

        one, two = dice
        count = 0
        for means in {(one,), (two,), (one, two)}:
            start = missing + sum(means)
            moves = {(start, missing, means), (start, missing, means[::-1])}
            # A chain may also be written as two checkers, one going on from where the other has stopped.
            if surplus(start) and any(
                moves & set(turn.moves) or (len(means) == 2 and chained(turn, start, missing))
                for turn in good
            ):
                count += 1
        return count

    def credited(
        self, state: State, dice: tuple[int, int], turns: list[Turn]
    ) -> tuple[dict[str, int], list[Turn]]:
        """The jans that are credited, and the turns that realise them."""
        names = [*JANS, *(["misery"] if self.options["misery_pile"] else [])]
        values = {name: self.jan_points(state, dice, turns, name) for name in names}

        def realised(turn: Turn) -> int:
            return sum(values[name] for name in names if self.holds(turn.after, name))

        best = max(realised(turn) for turn in turns)
        legal = [turn for turn in turns if realised(turn) == best]
        # Of several sets of jans worth the same the thrower takes one; here that of the first turn.
        named = {name: values[name] for name in names if values[name] and self.holds(legal[0].after, name)}
        return named, legal

    def legal(self, state: State, dice: tuple[int, int]) -> list[Turn]:
        """The turns left after all obligations."""
        _, turns = self.playable(state, dice)
        _, turns = self.credited(state, dice, turns)
        last = [turn for turn in turns if turn.after.off[0] == 15]
        return last or turns

    # -- 4 to 6: events

    def hits(self, state: State, dice: tuple[int, int]) -> Iterator[Event]:
        one, two = dice
        value = 2 if one == two else 0
        for point in range(24, 0, -1):
            if state.opp[25 - point] != 1:
                continue
            worth = (4 if point >= 19 or point <= 6 else 2) + value
            ways = sum(point + die <= 24 and state.me[point + die] > 0 for die in {one, two})
            false = False
            if point + one + two <= 24 and state.me[point + one + two]:
                rests = {point + one, point + two}
                if any(state.opp[25 - rest] <= 1 for rest in rests):
                    ways += 1
                else:
                    false = ways == 0
            if ways:
                yield Event(f"true_hit@{point}", 0, ways * worth)
            elif false:
                yield Event(f"false_hit@{point}", 1, worth)

    def corner_hit(self, state: State, dice: tuple[int, int]) -> bool:
        if state.me[CORNER] < 2 or state.opp[CORNER]:
            return False
        free = list(state.me)
        free[CORNER] -= 2
        one, two = dice
        if one == two:
            return free[12 + one] >= 2
        return free[12 + one] >= 1 and free[12 + two] >= 1

    def first_moves(self, state: State, dice: tuple[int, int]) -> Iterator[Event]:
        """6: the jans of the first throws after a start."""
        one, two = dice
        checkers = state.me
        value = 6 if one == two else 4
        if state.turns[0] == 2 and checkers[24] == 11:
            out = [point for point in range(18, 24) if checkers[point] == 1]
            if len(out) == 4 and {*out, 24 - one, 24 - two} == set(range(18, 24)):
                yield Event("six_tables", 0, 4)
        contre, who = ("contre_", 1) if state.opp[CORNER] else ("", 0)
        if checkers[24] != 13:
            return
        if checkers[CORNER] == 0:
            out = sorted(point for point in range(1, 24) for _ in range(checkers[point]))
            if out in (sorted((13 + one, 12 + two)), sorted((13 + two, 12 + one))):
                yield Event(f"{contre}two_tables", who, value)
        elif checkers[CORNER] == 2 and 1 in dice:
            yield Event(f"{contre}mezeas", who, value)

    def events(self, state: State, dice: tuple[int, int]) -> list[Event]:
        """All points of a throw."""
        value = 6 if dice[0] == dice[1] else 4
        found = list(self.hits(state, dice))
        if self.corner_hit(state, dice):
            found.append(Event("corner_hit", 0, value))
        used, turns = self.playable(state, dice)
        named, legal = self.credited(state, dice, turns)
        for name, points in named.items():
            if name == "misery":
                found.append(Event("misery_pile", 0, points))
            else:
                kept = self.full(state, JANS[name])
                found.append(Event(f"{'conserve' if kept else 'fill'}_{name}", 0, points))
        found += self.first_moves(state, dice)
        out = any(turn.after.off[0] == 15 for turn in legal)
        if out:
            found.append(Event("exit", 0, value))
        elif used < 2:
            found.append(Event("impuissance", 1, 2 * (2 - used)))
        return found

    # -- 8 to 12: the game

    def restarted(self, state: State) -> State:
        return replace(self.start(), turns=(0, 0))

    def throw(self, state: State, marking: Marking, dice: tuple[int, int]) -> set[Next]:
        """What a throw leads to: a choice if a hole was won, else the played turns."""
        if self.won(marking):
            return {Next(state, marking, "over")}
        due = sum(e.points for e in self.events(state, dice) if e.who == 0)
        if self.options["ecoles"]:
            found: set[Next] = set()
            for claim in self.claims(due):
                found |= self.thrown(state, *self.by_hand(marking, 0, claim, due))
            return found
        marked, holes = marking.mark(0, due)
        if holes == 0 and not self.won(marked):
            return self.play(state, marked, dice)
        return self.thrown(state, marked, holes)

    def thrown(self, state: State, marked: Marking, holes: int) -> set[Next]:
        """What follows the thrower's marking; with a hole he may leave."""
        if self.won(marked):
            return {Next(state, marked, "over")}
        if holes == 0:
            return {Next(state, marked, "play")}
        leaving = Next(self.restarted(state), replace(marked, pts=(0, 0)), "throw")
        if self.options["mode"] == "ecrire" and max(marked.holes) >= 6:
            leaving = replace(leaving, then="over")
        return {Next(state, marked, "play"), leaving}

    # -- 11: schools

    @staticmethod
    def claims(due: int) -> range:
        """What somebody may say that he marks: even numbers to 24, or to what he is due if that is more."""
        return range(0, max(24, due) + 1, 2)

    def by_hand(self, marking: Marking, who: int, claim: int, due: int) -> tuple[Marking, int]:
        """A player marks what he has said, no more than he is due; the other marks what is wrong."""
        marked, holes = marking.mark(who, min(claim, due))
        if not self.won(marked):
            marked, _ = marked.mark(1 - who, max(claim, due) - min(claim, due))
        return marked, holes

    def other_marks(self, state: State, marking: Marking, due: int) -> set[Next]:
        """The player to act marks what the other one's throw has given him."""
        last_checker = state.me[24] == state.opp[24] == 15 and state.turns == (0, 0)  # the other throws again
        then = "opp" if last_checker else "throw"
        return {Next(state, self.by_hand(marking, 0, claim, due)[0], then) for claim in self.claims(due)}

    def play(self, state: State, marking: Marking, dice: tuple[int, int]) -> set[Next]:
        """The checkers are moved, then the opponent marks."""
        due = sum(e.points for e in self.events(state, dice) if e.who == 1)
        by_hand = self.options["ecoles"] and due > 0
        marked = marking if by_hand else marking.mark(1, due)[0]
        found = set()
        for turn in self.legal(state, dice):
            after = replace(turn.after, turns=first(state.turns, min(state.turns[0] + 1, CAPPED)))
            if self.won(marked):
                found.add(Next(after, marked, "over"))
            elif by_hand:
                after = self.restarted(state) if after.off[0] == 15 else after
                found.add(Next(after, marked, "mark", due))
            elif after.off[0] == 15:
                found.add(Next(self.restarted(state), marked, "throw"))
            else:
                found.add(Next(after, marked, "opp"))
        return found

    def leave(self, marking: Marking, mine: int, his: int, decision: str) -> dict[str, Any] | None:
        """8: the marking after my points of a throw, my decision, and what he marks then."""
        marked, holes = marking.mark(0, mine)
        if decision == "leave":
            if holes == 0:
                return None
            after = replace(marked, pts=(0, 0))
            return {"pts": after.pts, "holes": after.holes, "restart": True, "first": "me", "opp_marks": 0}
        after, _ = marked.mark(1, his)
        return {"pts": after.pts, "holes": after.holes, "restart": False, "opp_marks": his}

    def won(self, marking: Marking) -> bool:
        target: int = self.options["target"]
        return self.options["mode"] == "ordinaire" and max(marking.holes) >= target

    def stake(self, marking: Marking) -> Result:
        """10: who has won and what."""
        target = self.options["target"]
        winner = 0 if marking.holes[0] >= target else 1
        loser_holes = marking.holes[1 - winner]
        kind, points = "single", 1
        if self.options["stake"] == "double" and marking.gclean[winner]:
            kind, points = "bredouille", 2
        elif self.options["stake"] == "quadruple":
            if loser_holes == 0:
                kind, points = "bredouille", 4
            elif marking.gclean[winner]:
                kind, points = "bredouille", 3
            elif loser_holes < 6:
                kind, points = "single", 2
        return Result(("me", "opp")[winner], kind, points)

    @staticmethod
    def payment(marking: Marking) -> Result:
        """11: who has won a round "a ecrire" that no drawn one preceded, and what."""
        mine, his = marking.holes
        if mine == his:
            return Result(None, "draw", 0)
        winner = 0 if mine > his else 1
        run = marking.best_runs[winner]
        factor = 4 if run >= 12 else 2 if run >= 6 else 1
        points = factor * max(mine, his) - min(mine, his) + 2 * factor
        return Result(("me", "opp")[winner], "single", points)

    def result(self, state: State) -> Result | None:
        """The checkers decide nothing here; see `stake`."""
        return None

    def start(self) -> State:
        checkers = side(self.start_points)
        return State(checkers, checkers)

    def turn(self, state: State, dice: tuple[int, int]) -> set[State]:
        return {turn.after for turn in self.legal(state, dice)}


def chained(turn: Turn, start: int, end: int) -> bool:
    """Whether a turn is one checker's way from `start` to `end` told as two moves."""
    if len(turn.moves) != 2:
        return False
    (one, middle, _), (again, two, _) = turn.moves
    return (one, two) == (start, end) and middle == again
