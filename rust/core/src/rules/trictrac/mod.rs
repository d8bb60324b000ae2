//! Trictrac: points for what a throw could do, then two strictly ruled moves.
//!
//! A throw is marked first. If it wins the thrower a hole he decides whether to stay or to leave; then the checkers
//! are moved, and the other player marks what the throw gave him. With schools both say what they mark (`schools`).

mod events;
mod marking;
mod moves;
mod quick;
#[cfg(test)]
mod quick_tests;
mod schools;

pub use events::{Event, EventKind, Jan};
pub use marking::Marking;
pub use schools::known_word;

use events::Thrown;
use moves::{Board, Turn};
use quick::{Brought, Moves, Throw};

use super::kind::{Kind, Later, Opening};
use super::marks::{self, Asks, Marks};
use super::options::Flag;
use super::plain::mirrored;
use super::turns::{Class, End, Turns};
use super::variant::{Steps, Variant};
use super::view::{Shape, View, ViewError, holds};
use super::walk::{Mid, Moved};
use crate::dice::Roll;
use crate::movegen::{PlayBuf, turn};
use crate::position::Position;

/// The game.
pub(crate) const KIND: Kind = Kind {
    name: "trictrac",
    aliases: &[],
    prefix: "trictrac",
    flags: &[
        Flag::words("stake", &["double", "none", "quadruple"]),
        Flag::off("ecoles"),
        Flag::off("misery_pile"),
        Flag::number("target", 12, 1, 12),
        Flag::words("mode", &["ordinaire", "ecrire"]),
        Flag::words("rounds", &["8", "2", "4", "6", "10", "12", "14", "16", "18", "20", "22", "24"]),
    ],
    opening: Opening::UseDice,
    later: Later::Opening,
    cube: false,
    build: |chosen| {
        Trictrac {
            stake: match chosen.get("stake") {
                "none" => Stake::None,
                "quadruple" => Stake::Quadruple,
                _ => Stake::Double,
            },
            schools: chosen.yes("ecoles"),
            misery_pile: chosen.yes("misery_pile"),
            target: chosen.is("mode", "ordinaire").then_some(chosen.number("target") as u8),
        }
        .into()
    },
};

/// What a win is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stake {
    Double,
    None,
    Quadruple,
}

/// Trictrac.
#[derive(Clone, Copy, Debug)]
pub struct Trictrac {
    stake: Stake,
    /// Whether the players mark by hand, and are sent to school for what they mark wrongly.
    schools: bool,
    misery_pile: bool,
    /// Holes that win; nothing in a round "a ecrire", which ends when somebody leaves.
    target: Option<u8>,
}

const SHAPE: Shape = Shape {
    game: "trictrac",
    checkers: 15,
    parallel: false,
    holds: holds::TURNS | holds::MARKING | holds::STAYS,
};

/// Holes that somebody must have before leaving ends a round "a ecrire".
const HOLES_OF_A_ROUND: u8 = 6;

/// A position in the course of a throw, seen by the thrower.
#[derive(Clone, Copy)]
struct State {
    /// The checkers; what the spare bytes say is not looked at.
    checkers: Position,
    marking: Marking,
    turns: [u8; 2],
}

impl State {
    fn of(position: &Position) -> State {
        let (marking, turns) = Marking::from_marks(&marks::of(position));
        State { checkers: *position, marking, turns }
    }

    fn mid(&self) -> Mid {
        Mid::new(&self.checkers, 15)
    }

    /// As the thrower sees it.
    fn kept(&self, asks: Asks) -> Position {
        let mut position = self.checkers;
        marks::set(&mut position, &self.marking.to_marks(self.turns, asks));
        position
    }

    /// As the other player sees it.
    fn handed(&self, asks: Asks) -> Position {
        let mut position = self.checkers.flip();
        marks::set(&mut position, &self.marks_handed(asks));
        position
    }

    /// The marks as the other player sees them.
    fn marks_handed(&self, asks: Asks) -> Marks {
        self.marking.flipped().to_marks([self.turns[1], self.turns[0]], asks)
    }

    /// All checkers back on the talons, with this marking.
    fn restarted(marking: Marking) -> State {
        State { checkers: mirrored(&[(24, 15)]), marking, turns: [0; 2] }
    }
}

impl Trictrac {
    /// What a throw brings in a position where it can be thrown or played.
    fn thrown(self, state: &State, roll: Roll) -> Thrown {
        events::throw(&Board::new(state.mid(), &SHAPE), state.turns[0], roll, self.misery_pile)
    }

    /// The points of a throw.
    pub fn events(&self, position: &Position, roll: Roll) -> Vec<Event> {
        self.thrown(&State::of(position), roll).events
    }

    fn is_won(self, marking: &Marking) -> bool {
        self.target.is_some_and(|target| marking.holes[0].max(marking.holes[1]) >= target)
    }

    fn keeps_runs(self) -> bool {
        self.target.is_none()
    }

    /// What the player to act can do: his own marking, and whether a hole lets him choose. The result says whether
    /// nothing can be played.
    ///
    /// The vectors are asked first; what they cannot answer is looked at turn by turn.
    fn decide(self, position: &Position, roll: Roll, turns: &mut Turns) -> bool {
        if self.schools {
            return self.decide_by_hand(position, roll, turns);
        }
        let (roll, marked) = match marks::asks(position) {
            Asks::Play(roll) => (roll, true),
            _ => (roll, false),
        };
        let (marking, done) = Marking::from_marks(&marks::of(position));
        let throw = Throw { position, roll, turns: done[0] };
        let mut brought = None;
        if !self.misery_pile {
            turns.by_parts(|plays| {
                brought = turn::on_this_cpu(throw, plays);
                brought.map(|_| false)
            });
        }
        let Some(Brought { points, used, exit }) = brought else {
            return self.decide_slowly(position, roll, marked, turns);
        };
        let mut state = State { checkers: *position, marking, turns: done };
        if !marked && !self.goes_on(&mut state, roll, points[0], turns) {
            return false;
        }
        let (after, restarted) = self.after(&state, points[1], exit);
        if restarted {
            turns.clear();
            turns.keep(State::restarted(after.marking).kept(Asks::Throw));
        } else {
            let marks = after.marks_handed(Asks::Throw);
            turns.plays_mut().iter_mut().for_each(|checkers| marks::set(checkers, &marks));
        }
        used == 0
    }

    /// The same, looking at each turn.
    fn decide_slowly(self, position: &Position, roll: Roll, marked: bool, turns: &mut Turns) -> bool {
        let mut state = State::of(position);
        let thrown = self.thrown(&state, roll);
        turns.clear();
        if !marked && !self.goes_on(&mut state, roll, thrown.points(true), turns) {
            return false;
        }
        self.play_all(&state, &thrown, turns)
    }

    /// The same where the players mark by hand.
    fn decide_by_hand(self, position: &Position, roll: Roll, turns: &mut Turns) -> bool {
        match self.decision(position, roll) {
            Decision::Named(results) => {
                results.iter().for_each(|named| named.add_to(turns));
                turns.settle(false);
                false
            }
            Decision::Moves(state, thrown) => self.play_all(&state, &thrown, turns),
        }
    }

    /// Fills `turns` with the results of all legal turns; whether there is none but to pass.
    fn play_all(self, state: &State, thrown: &Thrown, turns: &mut Turns) -> bool {
        for turn in &thrown.legal {
            match self.played(state, thrown, turn) {
                (after, true) => turns.keep(after),
                (after, false) => turns.hand(after),
            }
        }
        turns.settle(false);
        thrown.legal[0].legs[0].is_none()
    }

    /// Marks the thrower's points. If that ends the game or lets him choose, this is what follows, and not a turn.
    fn goes_on(self, state: &mut State, roll: Roll, points: u32, turns: &mut Turns) -> bool {
        let results = self.choice(state, roll, points);
        if results.is_empty() {
            return true;
        }
        turns.clear();
        results.iter().for_each(|named| named.add_to(turns));
        turns.settle(false);
        false
    }

    /// Marks the thrower's points. What follows if that ends the game or lets him choose; else nothing.
    fn choice(self, state: &mut State, roll: Roll, points: u32) -> Vec<Named> {
        let holes = state.marking.mark(0, points, self.keeps_runs());
        if self.is_won(&state.marking) {
            vec![Named { word: None, after: state.handed(Asks::Throw), kept: false }]
        } else if holes > 0 {
            let stays = Named { word: Some("stay"), after: state.kept(Asks::Play(roll)), kept: true };
            vec![stays, self.leaves(state, "leave")]
        } else {
            Vec::new()
        }
    }

    /// Leaving, which may end a round.
    fn leaves(self, state: &State, word: &'static str) -> Named {
        let (left, over) = self.left(state);
        let after = if over { left.handed(Asks::Nothing) } else { left.kept(Asks::Throw) };
        Named { word: Some(word), after, kept: !over }
    }

    /// What the player to act has to decide; the game is not over.
    fn decision(self, position: &Position, roll: Roll) -> Decision {
        let mut state = State::of(position);
        let roll = match marks::asks(position) {
            Asks::Mark(due) => return Decision::Named(self.marked_by_other(&state, u32::from(due))),
            Asks::Play(roll) => return Decision::Moves(state, self.thrown(&state, roll)),
            _ => roll,
        };
        let thrown = self.thrown(&state, roll);
        let results = if self.schools {
            self.marked_by_hand(&state, roll, &thrown)
        } else {
            self.choice(&mut state, roll, thrown.points(true))
        };
        if results.is_empty() { Decision::Moves(state, thrown) } else { Decision::Named(results) }
    }

    /// Fills `turns` with the positions after each legal turn of a throw, as if it brought no points.
    ///
    /// For measuring how long moving takes without marking: in the game points come first.
    pub fn moves(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        turns.clear();
        let quick = |plays: &mut PlayBuf| turn::on_this_cpu(Moves { position, roll }, plays).map(|_| false);
        if self.misery_pile || !turns.by_parts(quick) {
            for turn in &self.thrown(&State::of(position), roll).legal {
                turns.hand(turn.after.position().flip());
            }
            turns.settle(false);
        }
    }

    /// The position after leaving, and whether that ends a round.
    fn left(self, state: &State) -> (State, bool) {
        let marking = Marking { pts: [0; 2], ..state.marking };
        let most = marking.holes[0].max(marking.holes[1]);
        (State::restarted(marking), self.target.is_none() && most >= HOLES_OF_A_ROUND)
    }

    /// The state after the other player has marked so many points for a turn, but for the checkers, and whether all of
    /// them go back to the talons: the last one has left.
    fn after(self, state: &State, points: u32, exit: bool) -> (State, bool) {
        let mut marking = state.marking;
        marking.mark(1, points, self.keeps_runs());
        let turns = [marks::MOST_TURNS.min(state.turns[0] + 1), state.turns[1]];
        (State { checkers: state.checkers, marking, turns }, exit && !self.is_won(&marking))
    }

    /// The position after a turn and the other player's marking, and whether the same player throws again. With
    /// schools the other player has to mark himself, if he is due something.
    fn played(self, state: &State, thrown: &Thrown, turn: &Turn) -> (Position, bool) {
        let due = thrown.points(false);
        let by_hand = self.schools && due > 0;
        let (asks, points) = if by_hand { (Asks::Mark(due as u8), 0) } else { (Asks::Throw, due) };
        let (after, restarted) = self.after(state, points, turn.after.off[0] == 15);
        if restarted {
            let again = State::restarted(after.marking);
            return if by_hand { (again.handed(asks), false) } else { (again.kept(asks), true) };
        }
        (State { checkers: turn.after.position(), ..after }.handed(asks), false)
    }

    fn stake_of(self, marking: &Marking, winner: usize) -> (Class, u32) {
        let (clean, loser) = (marking.gclean[winner], marking.holes[1 - winner]);
        match self.stake {
            Stake::Double if clean => (Class::Bredouille, 2),
            Stake::Quadruple if loser == 0 => (Class::Bredouille, 4),
            Stake::Quadruple if clean => (Class::Bredouille, 3),
            Stake::Quadruple if loser < 6 => (Class::Single, 2),
            _ => (Class::Single, 1),
        }
    }

    /// The payment for a round "a ecrire" that no drawn round preceded.
    fn payment(marking: &Marking) -> End {
        let [mine, his] = marking.holes;
        if mine == his {
            return End { winner: None, class: Class::Draw, points: 0 };
        }
        let winner = usize::from(his > mine);
        let factor = match marking.best_runs[winner] {
            12.. => 4,
            6.. => 2,
            _ => 1,
        };
        let points = factor * u32::from(mine.max(his)) - u32::from(mine.min(his)) + 2 * factor;
        End { winner: Some(winner == 0), class: Class::Single, points }
    }
}

/// What is to be decided.
enum Decision {
    /// One of these, without moving a checker.
    Named(Vec<Named>),
    /// Which of the legal turns is played.
    Moves(State, Thrown),
}

/// A result for which no checker is moved.
struct Named {
    /// The word for it; none if there is nothing else to do.
    word: Option<&'static str>,
    after: Position,
    kept: bool,
}

impl Named {
    fn add_to(&self, turns: &mut Turns) {
        if self.kept { turns.keep(self.after) } else { turns.hand(self.after) }
    }
}

/// The moves of a turn, a chain as two.
fn moves_of(turn: &Turn) -> Vec<Moved> {
    let mut moves = Vec::new();
    for leg in turn.legs() {
        let mut from = leg.from;
        for to in leg.rest.into_iter().chain([leg.to]) {
            moves.push(Moved { from: from as u8, to: to as u8, hit: false });
            from = to;
        }
    }
    moves
}

impl Variant for Trictrac {
    fn start(&self) -> Position {
        State::restarted(Marking::default()).kept(Asks::Throw)
    }

    fn plays(&self, position: &Position, roll: Roll, turns: &mut Turns) {
        turns.clear();
        let pass = if self.result(position).is_some() {
            turns.hand(State::of(position).handed(marks::asks(position)));
            true
        } else {
            self.decide(position, roll, turns)
        };
        turns.settled(pass);
    }

    fn result(&self, position: &Position) -> Option<End> {
        let (marking, _) = Marking::from_marks(&marks::of(position));
        let Some(target) = self.target else {
            return (marks::asks(position) == Asks::Nothing).then(|| Trictrac::payment(&marking));
        };
        let winner = (0..2).find(|&who| marking.holes[who] >= target)?;
        let (class, points) = self.stake_of(&marking, winner);
        Some(End { winner: Some(winner == 0), class, points })
    }

    fn view(&self, position: &Position) -> View {
        let mut checkers = *position;
        marks::set(&mut checkers, &marks::Marks::default());
        let (marking, turns) = Marking::from_marks(&marks::of(position));
        View { marking: Some(marking), turns, asks: marks::asks(position), ..SHAPE.view(&checkers) }
    }

    fn position(&self, view: &View) -> Result<Position, ViewError> {
        let mut problems = SHAPE.problems(view);
        let marking = view.marking.unwrap_or_default();
        marking.problems(&mut problems);
        if marking.holes.iter().all(|&holes| self.target.is_some_and(|target| holes >= target)) {
            problems.push("both players have the holes that win".to_owned());
        }
        if self.target.is_some() && (marking.runs != [0; 2] || marking.best_runs != [0; 2]) {
            problems.push("runs of holes are counted in rounds (mode ecrire) only".to_owned());
        }
        if matches!(view.asks, Asks::Mark(_)) && !self.schools {
            problems.push("points are marked by hand only with schools (ecoles)".to_owned());
        }
        for (side, who) in ["the player to act", "the opponent"].iter().enumerate() {
            if view.checkers[side][moves::CORNER] == 1 {
                problems.push(format!(
                    "{who} has a single checker on his corner, which two take and leave together"
                ));
            }
        }
        if !problems.is_empty() {
            return Err(ViewError { game: SHAPE.game, problems });
        }
        let checkers = View { turns: [0; 2], asks: Asks::Throw, marking: None, ..view.clone() };
        let mut position = SHAPE.position(&checkers)?;
        marks::set(&mut position, &marking.to_marks(view.turns, view.asks));
        Ok(position)
    }

    fn steps(&self, position: &Position, roll: Roll, after: &Position, kept: bool) -> Option<Steps> {
        if self.result(position).is_some() {
            return None;
        }
        match self.decision(position, roll) {
            Decision::Named(results) => {
                let found = results.iter().find(|named| (named.after, named.kept) == (*after, kept))?;
                found.word.map(|word| Steps { word: Some(word), ..Steps::default() })
            }
            Decision::Moves(state, thrown) => {
                let found =
                    thrown.legal.iter().find(|turn| self.played(&state, &thrown, turn) == (*after, kept))?;
                Some(Steps { moves: moves_of(found), ..Steps::default() })
            }
        }
    }

    fn follow(&self, position: &Position, roll: Roll, steps: &Steps) -> Option<(Position, bool)> {
        if self.result(position).is_some() {
            return None;
        }
        match self.decision(position, roll) {
            Decision::Named(results) => {
                let named = |named: &&Named| named.word == steps.word && steps.moves.is_empty();
                results.iter().find(named).map(|named| (named.after, named.kept))
            }
            Decision::Moves(..) if steps.word.is_some() => None,
            Decision::Moves(state, thrown) => {
                let wanted: Vec<(u8, u8)> = steps.moves.iter().map(|moved| (moved.from, moved.to)).collect();
                let same = |turn: &&Turn| {
                    let whole: Vec<(u8, u8)> =
                        turn.legs().map(|leg| (leg.from as u8, leg.to as u8)).collect();
                    let rests: Vec<(u8, u8)> =
                        moves_of(turn).iter().map(|moved| (moved.from, moved.to)).collect();
                    whole == wanted || rests == wanted
                };
                thrown.legal.iter().find(same).map(|turn| self.played(&state, &thrown, turn))
            }
        }
    }
}
