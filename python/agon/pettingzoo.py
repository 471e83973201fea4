"""PettingZoo's AEC environments, for every game of agon."""

from __future__ import annotations

from typing import Optional

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from agon.arrays import bounds, mask, observe
from agon.games import Games


class AgonEnv(AECEnv):
    """A game for all its players: ``env = AgonEnv("connect-four")``.

    An observation is a dict: ``observation`` (features, a board's cells, or the codes of hidden information) and
    ``action_mask``. Rewards are what the player gets by this step, in the game's own units.
    """

    metadata = {"name": "agon", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game: str, *, render_mode: Optional[str] = None, **options) -> None:
        super().__init__()
        self.games = Games(game, all_views=True, **options)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.games.players)]
        self.agents = list(self.possible_agents)
        low, high, shape, kind = bounds(self.games)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(low, high, shape, kind),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.games.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.games.actions) for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict:
        player = self.possible_agents.index(agent)
        return {
            "observation": observe(self.games, self._game, player),
            "action_mask": mask(self.games, self._game, player),
        }

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        [self._game] = self.games.reset([(0, self._random.integers(2**53))])
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos = {agent: {} for agent in self.agents}
        self._returns = list(self._game.returns)
        self.agent_selection = self.agents[max(self._game.player, 0)]

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        [self._game] = self.games.step([(0, action)])
        for seat, name in enumerate(self.possible_agents):
            self.rewards[name] = self._game.returns[seat] - self._returns[seat]
            if self._game.over:
                self.terminations[name] = True
        self._returns = list(self._game.returns)
        self._accumulate_rewards()
        if not self._game.over:
            self.agent_selection = self.possible_agents[self._game.player]
        else:
            self.agent_selection = self.agents[0]
        self._deads_step_first()

    def render(self) -> Optional[str]:
        return self.games.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        self.games.close()
