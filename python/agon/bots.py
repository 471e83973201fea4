"""Bots: functions that choose an action, over agon's protocol of JSON lines."""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

PROTOCOL = 1


@dataclass(frozen=True)
class Turn:
    """A decision that the bot has to make."""

    #: The legal actions in the game's notation, or as numbers; never none.
    legal: list
    #: All actions of the game so far, dice included; empty in games of hidden information.
    moves: list
    #: The bot's seat, 0 for the first player.
    seat: int
    #: The game's id and its options.
    game: dict
    #: The position in the game's notation, such as FEN; None in games of hidden information.
    position: Optional[str]
    #: The position drawn for people, as the bot may see it.
    board: Optional[str]
    #: The codes that the bot has got in a game of hidden information; else None.
    codes: Optional[list]
    #: The limits from the config: depth, nodes, simulations, timeMs, or none of them.
    budget: dict
    #: A generator that begins the same way whenever this game is played.
    random: random.Random
    #: The whole message, for what has no field here.
    message: dict = field(repr=False)


def bot(name: Any = None, *, numbers: bool = False) -> Callable:
    """Makes a function from a Turn to a legal action a bot, and plays when its file is the program.

    Used as ``@bot``, ``@bot("my name")`` or ``@bot(numbers=True)``, which gives actions as agon's own numbers. The function
    may return an action, or a dict with ``action`` and what people want to see: ``value``, ``depth``, ``nodes``.
    """

    def decorate(choose: Callable) -> Callable:
        if choose.__module__ == "__main__":
            play(choose, name=name if isinstance(name, str) else choose.__name__, numbers=numbers)
        return choose

    return decorate(name) if callable(name) else decorate


def play(choose: Callable, *, name: str, numbers: bool = False, source=None, sink=None) -> None:
    """Answers messages until the input ends."""
    source, sink = source or sys.stdin, sink or sys.stdout
    game: dict = {}
    seat, moves, rng = 0, [], random.Random(0)

    def say(answer: dict) -> None:
        sink.write(json.dumps(answer) + "\n")
        sink.flush()

    for line in source:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            game = message["game"]
            wants = "numbers" if numbers else "texts"
            say({"type": "hello", "protocol": PROTOCOL, "name": name, "wants": wants, "view": True})
        elif kind == "new-game":
            seat, moves, rng = message["seat"], [], random.Random(str(message["seed"]))
        elif kind == "decide":
            moves = [*moves, *message.get("moves", [])]
            turn = Turn(
                legal=message["legal"],
                moves=moves,
                seat=seat,
                game=game,
                position=message.get("position"),
                board=message.get("board"),
                codes=message.get("codes"),
                budget=message.get("budget", {}),
                random=rng,
                message=message,
            )
            chosen = choose(turn)
            say({"type": "decision", **(chosen if isinstance(chosen, dict) else {"action": chosen})})
