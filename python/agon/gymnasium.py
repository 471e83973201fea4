"""Gymnasium's environments: a game of one player, or a seat against one of agon's agents."""

from __future__ import annotations

from typing import Optional

import gymnasium
import numpy as np

from agon.arrays import bounds, mask, observe
from agon.games import AgonError, Games


class AgonEnv(gymnasium.Env):
    """One seat of a game: ``AgonEnv("connect-four", against="mcts:simulations=100", seat=1)``, ``AgonEnv("2048")``.

    Observations and rewards are as in ``agon.pettingzoo``. ``info["action_mask"]`` has the legal actions. An action that is
    not legal ends the episode with the lowest return of the game, truncated.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self, game: str, *, against: Optional[str] = None, seat: int = 1, render_mode: Optional[str] = None, **options
    ) -> None:
        self.games = Games(game, against=against, seat=seat, **options)
        if against is None and self.games.players > 1:
            self.games.close()
            raise AgonError(f"{game} has {self.games.players} players: name an agent with `against`")
        self.render_mode = render_mode
        self.player = seat - 1
        low, high, shape, kind = bounds(self.games)
        self.observation_space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(low, high, shape, kind),
                "action_mask": gymnasium.spaces.Box(0, 1, (self.games.actions,), np.int8),
            }
        )
        self.action_space = gymnasium.spaces.Discrete(self.games.actions)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None):
        super().reset(seed=seed)
        [self._game] = self.games.reset([(0, self.np_random.integers(2**53))])
        self._return = self._game.returns[self.player]
        return self._seen(), self._info()

    def step(self, action):
        if int(action) not in self._game.legal:
            return self._seen(), float(self.games.min_return), False, True, self._info()
        [self._game] = self.games.step([(0, action)])
        reward = self._game.returns[self.player] - self._return
        self._return = self._game.returns[self.player]
        return self._seen(), float(reward), self._game.over, False, self._info()

    def render(self):
        return self.games.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        self.games.close()

    def _seen(self) -> dict:
        return {
            "observation": observe(self.games, self._game, self.player),
            "action_mask": mask(self.games, self._game, self.player),
        }

    def _info(self) -> dict:
        return {"action_mask": mask(self.games, self._game, self.player)}
