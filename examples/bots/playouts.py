#!/usr/bin/env python3
"""Plays connect four: it tries each column in random games to the end, and takes the best. Its own rules are below."""
import json
import random
import sys

WIDTH, HEIGHT, PLAYOUTS = 7, 6, 40


def drop(columns, column, player):
    """Puts a piece into a column. True if that makes four in a row."""
    columns[column].append(player)
    row = len(columns[column]) - 1
    has = lambda x, y: 0 <= x < WIDTH and 0 <= y < len(columns[x]) and columns[x][y] == player
    for dx, dy in (1, 0), (0, 1), (1, 1), (1, -1):
        line = "".join("x" if has(column + k * dx, row + k * dy) else " " for k in range(-3, 4))
        if "xxxx" in line:
            return True
    return False


def playout(columns, column, me):
    """The result of a random game that begins with a piece in `column`: 1 if `me` wins, 0 for a draw, or else -1."""
    columns, player = [list(one) for one in columns], me
    while not drop(columns, column, player):
        free = [x for x in range(WIDTH) if len(columns[x]) < HEIGHT]
        if not free:
            return 0
        column, player = random.choice(free), 1 - player
    return 1 if player == me else -1


def say(message):
    print(json.dumps(message), flush=True)  # without `flush` the line would wait in a buffer


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello" and message["game"]["id"] != "connect-four":
        say({"type": "refuse", "reason": "it knows connect four alone"})
    elif message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "playouts", "wants": "numbers"})
    elif message["type"] == "new-game":
        random.seed(str(message["seed"]))  # the same game is played the same way again
        columns, player = [[] for _ in range(WIDTH)], 0
    elif message["type"] == "decide":
        for column in message["moves"]:  # the moves since our last decision, with that one
            drop(columns, column, player)
            player = 1 - player
        score = {c: sum(playout(columns, c, player) for _ in range(PLAYOUTS)) for c in message["legal"]}
        best = max(score, key=score.get)
        nodes = PLAYOUTS * len(score)
        say({"type": "decision", "action": best, "value": score[best] / PLAYOUTS, "nodes": nodes})
