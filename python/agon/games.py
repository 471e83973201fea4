"""Games that Python steps: one process of agon plays any number of them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import Iterable, List, Mapping, Optional, Sequence, Tuple

PROTOCOL = 1


class AgonError(Exception):
    """A request that agon refuses, in its own words."""


def usual_command() -> List[str]:
    """The command that starts agon: the variable AGON, ``agon`` from PATH, or npx."""
    given = os.environ.get("AGON")
    if given:
        return given.split()
    found = shutil.which("agon")
    return [found] if found else ["npx", "--no-install", "agon"]


@dataclass
class Game:
    """A game after a request."""

    #: Its number.
    number: int
    #: The player to move; -1 when the game is over.
    player: int
    #: Numbers of the legal actions, ascending; none when the game is over.
    legal: List[int]
    #: By player: {"index": [...], "value": [...]} or {"codes": [...]}; without "value" all are 1. None of players who are not
    #: to move, but at the end and with ``all_views``.
    views: List[Optional[dict]]
    #: By player: the rewards so far; the utilities when the game is over.
    returns: List[float]

    @property
    def over(self) -> bool:
        return self.player < 0


class Games:
    """Games side by side in one process of agon.

    ``against`` names an agent that plays all seats but ``seat`` (from 1). ``observation`` is ``board``, ``codes`` or a
    feature set of the game. Requests for many games at once cost one message.
    """

    def __init__(
        self,
        game: str,
        *,
        against: Optional[str] = None,
        seat: int = 1,
        observation: Optional[str] = None,
        all_views: bool = False,
        command: Sequence[str] = (),
    ) -> None:
        arguments = [*(command or usual_command()), "step", game, "--seat", str(seat)]
        if against is not None:
            arguments += ["--against", against]
        if observation is not None:
            arguments += ["--observation", observation]
        if all_views:
            arguments.append("--all-views")
        self._process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
        hello = self._hear()
        if hello.get("protocol") != PROTOCOL:
            raise AgonError(f"this package speaks version {PROTOCOL} of `agon step`, agon {hello.get('protocol')}")
        #: The game's id and options.
        self.game: Mapping = hello["game"]
        self.players: int = hello["players"]
        #: Numbers of actions are 0 to actions - 1.
        self.actions: int = hello["actions"]
        #: True: a number means the same action in all positions; else it is the place among the legal ones.
        self.fixed: bool = hello["fixed"]
        self.observation: Mapping = hello["observation"]
        self.min_return: float = hello["minReturn"]
        self.max_return: float = hello["maxReturn"]
        self.max_plies: int = hello["maxPlies"]

    def reset(self, games: Iterable[Tuple[int, object]]) -> List[Game]:
        """Begins games anew, given as pairs of a number and a seed."""
        return self._ask({"reset": [[number, str(seed)] for number, seed in games]})

    def step(self, actions: Iterable[Tuple[int, int]]) -> List[Game]:
        """Plays an action in games, given as pairs of a number and the action's number."""
        return self._ask({"step": [[number, int(action)] for number, action in actions]})

    def render(self, number: int = 0) -> str:
        """The position drawn for people, as the player to move may see it."""
        return self._exchange({"render": [number]})["drawn"][0]

    def close(self) -> None:
        """Ends the process."""
        if self._process.poll() is None:
            self._process.stdin.close()
            self._process.wait(timeout=10)
        for stream in (self._process.stdout, self._process.stderr):
            stream.close()

    def __enter__(self) -> "Games":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, request: dict) -> List[Game]:
        return [
            Game(one["game"], one["player"], one["legal"], one["views"], one["returns"])
            for one in self._exchange(request)["games"]
        ]

    def _exchange(self, request: dict) -> dict:
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._hear()
        if "error" in answer:
            raise AgonError(answer["error"])
        return answer

    def _hear(self) -> dict:
        line = self._process.stdout.readline()
        if line:
            return json.loads(line)
        self._process.wait(timeout=10)
        raise AgonError(self._process.stderr.read().strip() or "agon has ended")
