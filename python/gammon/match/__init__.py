"""Matches and money sessions: played by the rules, or read from a file as they were played.

>>> from gammon.match import Match
>>> match = Match(3, players=("A", "B"))
>>> game = match.new_game()
>>> roll = game.roll("31", player=1)
>>> play = game.play("8/5 6/5")
>>> game.double()
>>> game.drop()
>>> match
<3-point match: A 1, B 0; 1 games>
>>> [f"{moment.record.player} {moment.record.kind}" for moment in game]
['1 roll', '1 play', '0 cube', '1 cube']
>>> game[2].id
'XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:3:10'
"""

from gammon.match._clock import Clock, TimeControl
from gammon.match._dice import Dice, FairDice, GivenDice, SeededDice, verify
from gammon.match._findings import (
    Candidate,
    CubeFinding,
    Evaluation,
    Finding,
    LuckFinding,
    PlayFinding,
    RolloutSettings,
    Source,
)
from gammon.match._game import Action, Game
from gammon.match._moment import Moment
from gammon.match._players import STRENGTHS, Choice, Decider, Engine, carry_out
from gammon.match._playing import play_match
from gammon.match._records import (
    AnyRecord,
    CubeAction,
    Flag,
    IllegalPlay,
    Opening,
    Played,
    Points,
    Record,
    Resignation,
    Result,
    Rolled,
    Settlement,
    Setup,
)
from gammon.match._rules import Level, Rules
from gammon.match._series import Match, PlayerInfo, Series, Session
from gammon.match._state import Phase, State, Terms

__all__ = [
    "STRENGTHS",
    "Action",
    "AnyRecord",
    "Candidate",
    "Choice",
    "Clock",
    "CubeAction",
    "CubeFinding",
    "Decider",
    "Dice",
    "Engine",
    "Evaluation",
    "FairDice",
    "Finding",
    "Flag",
    "Game",
    "GivenDice",
    "IllegalPlay",
    "Level",
    "LuckFinding",
    "Match",
    "Moment",
    "Opening",
    "Phase",
    "PlayFinding",
    "Played",
    "PlayerInfo",
    "Points",
    "Record",
    "Resignation",
    "Result",
    "Rolled",
    "RolloutSettings",
    "Rules",
    "SeededDice",
    "Series",
    "Session",
    "Settlement",
    "Setup",
    "Source",
    "State",
    "Terms",
    "TimeControl",
    "carry_out",
    "play_match",
    "verify",
]


def __dir__() -> list[str]:  # what tab completion offers
    return __all__
