"""Runs of agon as frames of pandas."""

from __future__ import annotations

import json
import subprocess
from typing import Sequence

import pandas

from agon.games import AgonError, usual_command


def games(path: str, *, command: Sequence[str] = ()) -> pandas.DataFrame:
    """One row for each seat of each game of a run's folder.

    Columns: ``game`` (id), ``round``, ``seat`` (from 0), ``name``, ``score`` (the game's return for this seat), ``ending``,
    ``forfeit``, ``moves`` (all of the game, in its notation, dice included) and ``opening`` (the number of moves that
    nobody chose).
    """
    rows = []
    for line in _ask(command, "export", path).splitlines():
        one = json.loads(line)
        for seat, name in enumerate(one["names"]):
            rows.append(
                {
                    "game": one["id"],
                    "round": one["round"],
                    "seat": seat,
                    "name": name,
                    "score": one["returns"][seat],
                    "ending": one["ending"],
                    "forfeit": one["forfeit"],
                    "moves": one["moves"],
                    "opening": one["openingLength"],
                }
            )
    return pandas.DataFrame(rows)


def ratings(path: str, *, command: Sequence[str] = ()) -> pandas.DataFrame:
    """One row for each entrant of a run's folder, as ``agon rate --json`` has it: rank, name, elo, low, high, games, score."""
    return pandas.DataFrame(json.loads(_ask(command, "rate", path, "--json"))["entrants"])


def _ask(command: Sequence[str], *arguments: str) -> str:
    done = subprocess.run([*(command or usual_command()), *arguments], capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise AgonError(done.stderr.strip())
    return done.stdout
