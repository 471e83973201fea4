"""Bots, environments and results of agon, a tournament framework for game-playing programs.

``agon.bot`` makes a function an entrant, ``agon.pettingzoo`` and ``agon.gymnasium`` have environments, ``agon.Games``
steps many games at once, and ``agon.runs`` reads what was played. Nothing but Python is needed for bots and ``Games``.
"""

from agon.bots import Turn, bot
from agon.games import AgonError, Game, Games

__all__ = ["AgonError", "Game", "Games", "Turn", "bot"]
