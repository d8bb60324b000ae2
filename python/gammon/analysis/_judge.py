"""Judging one decision or one roll, whoever made it."""

import threading
from dataclasses import dataclass, field, replace

import numpy as np

from gammon import cube, evaluators, search
from gammon._native import CubeDecision, Met, Play, Roll, SearchCache, Situation
from gammon.analysis._decisions import Choice, Decision, Kind, Luck
from gammon.match import CubeAction, IllegalPlay, Moment, Played, Rolled
from gammon.match._legal import may_not_double
from gammon.match._stakes import match_scale
from gammon.match._state import State, Terms, scores
from gammon.search import FilterLike


class NotJudged(Exception):
    """A decision that cannot be judged; the text says why."""


@dataclass(frozen=True)
class Judge:
    """How deeply to look, by what evaluator; may be asked by several threads."""

    plies: int
    filter: FilterLike
    luck_plies: int
    evaluator: evaluators.Evaluator
    prefilter: search.Prefilter | None
    met: Met
    life: float | None
    shown: int
    """How many choices of a play are kept, beside the one made."""
    threads: int
    """Threads of each search."""
    _own: threading.local = field(default_factory=threading.local)

    @property
    def _cache(self) -> SearchCache:
        """The cache of the thread that asks: one search uses a cache at a time."""
        if not hasattr(self._own, "cache"):
            self._own.cache = SearchCache()
        cache = self._own.cache
        assert isinstance(cache, SearchCache)
        return cache

    # Plays.

    def play(self, game: int, moment: Moment) -> Decision:
        """Judge a play. Raises `NotJudged` for an illegal one."""
        record = moment.record
        assert isinstance(record, Played)
        if isinstance(record.play, IllegalPlay) or record.illegal:
            raise NotJudged(f"an illegal play: {record.illegal or record.play}")
        situation = moment.situation
        plays = situation.position.plays(record.play.roll)
        choices = self._choices(moment, situation, record.play)
        made = next(choice for choice in choices if choice.after == record.play.after.id)
        best = made if made.equity > choices[0].equity else choices[0]
        kept = [choice for index, choice in enumerate(choices) if index < self.shown or choice is made]
        return self._decision(
            game,
            moment,
            "play",
            situation,
            made=made,
            best=best,
            choices=tuple(kept),
            spread=best.equity - min(choice.equity for choice in choices),
            is_forced=plays.is_forced,
        )

    def _choices(self, moment: Moment, situation: Situation, played: Play) -> list[Choice]:
        """Rank all plays, the one that was made as deeply as the best, by depth and equity."""
        ranking = search.rank(
            situation,
            played.roll,
            plies=self.plies,
            filter=self.filter,
            cubeful=True,
            evaluator=self.evaluator,
            prefilter=self.prefilter,
            met=self.met,
            life=self.life,
            cache=self._cache,
            threads=self.threads,
        )
        deepest = ranking.best.plies
        choices = []
        for ranked in ranking:
            equity, plies = ranked.equity, ranked.plies
            if ranked.play == played and plies < deepest and not played.after.is_over:
                equity, plies = self._deepened(moment, played, deepest), deepest
            win, gammon, backgammon, lose_gammon, lose_backgammon = ranked.probs
            choices.append(
                Choice(
                    name=str(ranked.play),
                    equity=equity,
                    plies=plies,
                    probs=(win, gammon, backgammon, lose_gammon, lose_backgammon),
                    after=ranked.play.after.id,
                )
            )
        return sorted(choices, key=lambda choice: (-choice.plies, -choice.equity))

    def _deepened(self, moment: Moment, played: Play, plies: int) -> float:
        """Return what a play is worth that the filter had stopped: less what the opponent then has."""
        after = replace(
            moment.before, position=played.after, turn=1 - moment.record.player, phase="to-roll", roll=None
        )
        return -self._cube(after.situation(moment.terms), plies).optimal_equity

    # The cube.

    def double(
        self, game: int, moment: Moment, found: CubeDecision | None = None, trials: int = 0
    ) -> Decision | None:
        """Judge whether to double; `None` if no double could be offered, or none could be of use.

        Whoever wins the match with the cube as it is has no use for a higher one.
        Raises `NotJudged` for a double against the rules.
        """
        record = moment.record
        doubled = isinstance(record, CubeAction)
        if may_not_double(moment.terms, moment.before, record.player):
            if doubled:
                raise NotJudged(f"an illegal double: {record.illegal}")
            return None
        needed = moment.terms.length - scores(moment.terms, moment.before)[record.player]
        if moment.terms.length and needed <= moment.before.cube and not doubled:
            return None
        situation = moment.situation
        found = self._cube(situation, self.plies) if found is None else found
        answers = self._answers(found)
        if not answers:
            return None
        equity = min(answers.values())
        held = Choice(name="no double", equity=found.no_double_equity, plies=self.plies, trials=trials)
        offered = Choice(name="double", equity=equity, plies=self.plies, trials=trials)
        choices = sorted((held, offered), key=lambda choice: -choice.equity)
        others = [
            Choice(name=f"double, {answer}", equity=worth, plies=self.plies, trials=trials)
            for answer, worth in sorted(answers.items(), key=lambda answer: answer[1])
        ]
        best = offered if found.action == "double" else held
        return self._decision(
            game,
            moment,
            "double",
            situation,
            made=offered if doubled else held,
            best=best,
            choices=(*choices, *others),
            spread=equity - found.no_double_equity,
            is_forced=False,
        )

    def answer(
        self, game: int, moment: Moment, found: CubeDecision | None = None, trials: int = 0
    ) -> Decision:
        """Judge the answer to a double, a beaver or a raccoon. Raises `NotJudged` where none was pending."""
        record, state = moment.record, moment.before
        assert isinstance(record, CubeAction)
        if record.illegal or state.offer is None or state.turn is None:
            raise NotJudged(f"an illegal {record.action}: {record.illegal or 'no double is pending'}")
        if found is None:
            found = self._cube(before_offer(moment), self.plies)
        worth = self._replies(moment.terms, state, found)
        if record.action not in worth:
            raise NotJudged(f"a {record.action} for which there is no equity")
        choices = sorted(
            (
                Choice(name=name, equity=equity, plies=self.plies, trials=trials)
                for name, equity in worth.items()
            ),
            key=lambda choice: -choice.equity,
        )
        return self._decision(
            game,
            moment,
            "answer",
            moment.situation,
            made=next(choice for choice in choices if choice.name == record.action),
            best=choices[0],
            choices=tuple(choices),
            spread=choices[0].equity - choices[-1].equity,
            is_forced=len(choices) == 1,
        )

    def _cube(self, situation: Situation, plies: int) -> CubeDecision:
        return cube.decide(
            situation,
            plies=plies,
            evaluator=self.evaluator,
            prefilter=self.prefilter,
            met=self.met,
            life=self.life,
            cache=self._cache,
            threads=self.threads,
        )

    @staticmethod
    def _answers(found: CubeDecision) -> dict[str, float]:
        """Return what the doubler has after each answer; nothing if he may not double."""
        if found.double_take_equity is None:
            return {}
        answers = {"take": found.double_take_equity, "pass": 1.0}
        if found.double_beaver_equity is not None:
            answers["beaver"] = found.double_beaver_equity
        return answers

    @staticmethod
    def _replies(terms: Terms, state: State, found: CubeDecision) -> dict[str, float]:
        """Return what each answer to the pending offer is worth to the player who answers.

        A cube the opponent keeps at 4 or 8 times its value is worth twice and four times the one taken at 2.
        """
        taken = found.double_take_equity
        if taken is None:
            return {}
        limit = terms.rules.highest_cube
        if state.offer == "double":
            answers = Judge._answers(found)
            if not terms.rules.beavers or terms.length or state.cube * 4 > limit:
                answers.pop("beaver", None)
            return {name: -equity for name, equity in answers.items()}
        if state.offer == "beaver":
            replies = {"take": 2 * taken}
            if terms.rules.beaver_refusal:
                replies["pass"] = -2.0
            if terms.rules.raccoons and state.cube * 8 <= limit:
                replies["raccoon"] = 4 * taken
            return replies
        return {"take": -4 * taken, "pass": -4.0}

    def _decision(
        self,
        game: int,
        moment: Moment,
        kind: Kind,
        situation: Situation,
        *,
        made: Choice,
        best: Choice,
        choices: tuple[Choice, ...],
        spread: float,
        is_forced: bool,
    ) -> Decision:
        return Decision(
            game=game,
            record=moment.index,
            player=moment.record.player,
            kind=kind,
            id=situation.xgid,
            phase=situation.position.phase,
            made=made,
            best=best,
            choices=choices,
            spread=spread,
            is_forced=is_forced,
            cube=moment.before.cube,
            mwc_scale=self._scale(moment.terms, moment.before, moment.record.player),
        )

    def _scale(self, terms: Terms, state: State, seat: int) -> tuple[float, float] | None:
        return match_scale(self.met, terms, state, seat) if terms.length else None

    # Luck.

    def luck(self, game: int, moment: Moment) -> Luck:
        """Judge a roll. Raises `NotJudged` for one against the rules.

        The first roll of a game is compared with the opening rolls of both players: winning the start is
        luck.
        """
        record, state, terms = moment.record, moment.before, moment.terms
        assert isinstance(record, Rolled)
        if record.illegal:
            raise NotJudged(f"an illegal roll: {record.illegal}")
        first = state.throws == (0, 0) and (state.opening is not None or terms.rules.opening == "use_dice")
        if first:
            value, mean = self._first_luck(terms, state, record)
        else:
            values = self._values(state.situation(terms, record.player), Roll.all())
            value = values[record.roll]
            mean = sum(roll.weight * values[roll] for roll in values) / 36
        scale = self._scale(terms, state, record.player)
        luck = value - mean
        return Luck(
            game=game,
            record=moment.index,
            player=record.player,
            roll=str(record.roll),
            equity=luck,
            mwc=None if scale is None else luck * (scale[0] - scale[1]) / 2,
            cube=state.cube,
            plies=self.luck_plies,
        )

    def _first_luck(self, terms: Terms, state: State, record: Rolled) -> tuple[float, float]:
        rolls = tuple(roll for roll in Roll.all() if not roll.is_double)
        means = []
        value = 0.0
        for seat in (record.player, 1 - record.player):
            values = self._values(replace(state, turn=seat, opening=None).situation(terms), rolls)
            means.append(sum(values.values()) / len(rolls))
            if seat == record.player:
                value = values[record.roll]
        return value, (means[0] - means[1]) / 2

    def _values(self, situation: Situation, rolls: tuple[Roll, ...]) -> dict[Roll, float]:
        """Return what the best play of each roll is worth to the player who throws it."""
        ranked = search.rank_many(
            np.repeat(situation.position.board[None], len(rolls), axis=0),
            np.array([(roll.high, roll.low) for roll in rolls], np.uint8),
            plies=self.luck_plies,
            filter=self.filter,
            score=situation,
            evaluator=self.evaluator,
            prefilter=self.prefilter,
            met=self.met,
            life=self.life,
            max_candidates=1,
            cache=self._cache,
            threads=self.threads,
        )
        return dict(zip(rolls, ranked.best_equities.tolist(), strict=True))


def before_offer(moment: Moment) -> Situation:
    """Return the situation before the double that a moment answers."""
    return replace(moment.before, offer=None, phase="to-roll").situation(moment.terms)
