"""All moves of a game, for a report."""

from collections.abc import Iterator

from gammon.analysis import Analysis, Decision
from gammon.match import (
    AnyRecord,
    CubeAction,
    Flag,
    Game,
    Opening,
    Played,
    Resignation,
    Rolled,
    Settlement,
    Setup,
)
from gammon.viz._markup import escape
from gammon.viz._points import Place, place_of

__all__ = ["game_details", "record_in_words"]


def record_in_words(record: AnyRecord) -> str:
    """Return what happened; nothing of a throw that is played, which its play names."""
    match record:
        case Played():
            return f"{record.roll}: {record.play}"
        case Opening():
            throws = ", ".join(f"{first}-{second}" for first, second in record.throws)
            return f"begins (thrown: {throws})"
        case CubeAction():
            words = {"double": "doubles", "take": "takes", "pass": "passes", "beaver": "beavers"}
            return words.get(record.action, "raccoons")
        case Resignation():
            if record.action == "offer":
                return f"resigns ({record.level})"
            return f"{record.action}s the resignation"
        case Settlement():
            return (
                f"offers to settle for {record.points}" if record.action == "offer" else f"{record.action}s"
            )
        case Setup():
            return f"position put up: {record.situation.xgid}"
        case Flag():
            return "time is up"
        case Rolled():
            return ""


def game_details(analysis: Analysis, place: int, game: Game, links: dict[Place, str]) -> Iterator[str]:
    """Return a game, folded: each play and cube action with what it lost, luck and comments."""
    summary = analysis.games[place]
    won = "" if summary.winner is None else f", {analysis.label(summary.winner)} won {summary.points:g}"
    score = f"{summary.score[0]:g}–{summary.score[1]:g}"
    crawford = ", Crawford game" if game.crawford else ""
    yield f"<details><summary>{escape(f'Game {game.number}: {score}{crawford}{won}')}</summary>"
    if game.comment:
        yield f"<blockquote>{escape(game.comment)}</blockquote>"
    heads = "".join(f'<th scope="col"{" class=left" if left else ""}>{head}</th>' for head, left in _HEADS)
    yield f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>'
    decisions = {place_of(decision): decision for decision in analysis.select(game=place)}
    luck = {(roll.game, roll.record): roll.equity for roll in analysis.luck}
    thrown: float | None = None
    for index, record in enumerate(game.records):
        found = [
            decisions[place, index, kind]
            for kind in ("double", "play", "answer")
            if (place, index, kind) in decisions
        ]
        if isinstance(record, Rolled):
            thrown = luck.get((place, index))
            following = game.records[index + 1] if index + 1 < len(game) else None
            missed = [decision for decision in found if decision.error > 0 and place_of(decision) in links]
            if missed or record.comment or not isinstance(following, Played):
                is_played = isinstance(following, Played)
                words = "does not double" if missed else f"{record.roll}{'' if is_played else ': not played'}"
                alone = None if is_played else thrown
                yield _row(analysis, record, words, missed, alone, links)
            continue
        played = isinstance(record, Played)
        yield _row(analysis, record, record_in_words(record), found, thrown if played else None, links)
    yield "</tbody></table></div>"
    if game.closing_comment:
        yield f"<blockquote>{escape(game.closing_comment)}</blockquote>"
    yield "</details>"


_HEADS = (("player", True), ("", True), ("lost", False), ("luck", False), ("comment", True))


def _row(
    analysis: Analysis,
    record: AnyRecord,
    words: str,
    decisions: list[Decision],
    luck: float | None,
    links: dict[Place, str],
) -> str:
    if record.illegal:
        words += f" (illegal: {record.illegal})"
    lost = " ".join(_lost(decision, links) for decision in decisions if decision.error >= 0.0005)
    lucky = "" if luck is None else f"{luck:+.3f}"
    who = escape(analysis.label(record.player))
    return (
        f'<tr><th scope="row">{who}</th><td class="left">{escape(words)}</td>'
        f'<td>{lost}</td><td>{lucky}</td><td class="comment">{escape(record.comment)}</td></tr>'
    )


def _lost(decision: Decision, links: dict[Place, str]) -> str:
    text = f"{decision.error:.3f}"
    link = links.get(place_of(decision))
    return f'<a href="#{link}">{text}</a>' if link else text
