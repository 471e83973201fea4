"""Observations and masks as arrays of NumPy."""

from __future__ import annotations

import numpy as np

from agon.games import Game, Games


def bounds(games: Games) -> tuple:
    """Lowest, highest, shape and type of an observation."""
    size = games.observation["size"]
    if games.observation["isSparse"]:
        return -np.inf, np.inf, (size,), np.float32
    return np.iinfo(np.int32).min, np.iinfo(np.int32).max, (size,), np.int32


#: The number behind the last code of a player. Codes are never so low.
NO_CODE = np.iinfo(np.int32).min


def observe(games: Games, game: Game, player: int) -> np.ndarray:
    """What a player sees: features, or the codes of hidden information, with NO_CODE behind the last."""
    view = game.views[player]
    if "codes" in view:
        codes = np.full(games.observation["size"], NO_CODE, dtype=np.int32)
        codes[: len(view["codes"])] = view["codes"]
        return codes
    features = np.zeros(games.observation["size"], dtype=np.float32)
    features[view["index"]] = view.get("value", 1.0)
    return features


def mask(games: Games, game: Game, player: int) -> np.ndarray:
    """1 for each action that the player may play now; all 0 when another is to move, or the game is over."""
    legal = np.zeros(games.actions, dtype=np.int8)
    if game.player == player:
        legal[game.legal] = 1
    return legal
