"""Tavla: the standard game, but whoever hits at home stays there for the turn."""

from __future__ import annotations

from typing import Any, ClassVar

from reference.variants.backgammon import Portes


class Tavla(Portes):
    name = "tavla"
    prefix = "tavla"
    defaults: ClassVar[dict[str, Any]] = {
        "hit_and_run": "forbidden_home",
        "triple": False,
        "opening": "reroll",
        "target": 5,
        "uzun_meaning": "standard",
        "preset": "none",
    }

    def set_up(self) -> None:
        if self.options["preset"] == "rulebook":
            self.options["hit_and_run"] = "allowed"
            self.opening = "use_dice"
