#!/usr/bin/env python3
"""Asks a chat model for each move: any server with the interface /v1/chat/completions.

CHAT_URL is the server's address up to and with /v1, CHAT_MODEL the model, CHAT_KEY the key, if one is needed. In a config:

  { name: chat, agent: program, command: [python3, ./chat-agent.py], environment: [CHAT_URL, CHAT_MODEL, CHAT_KEY] }

Set `moveTimeoutMs` so that TRIES answers fit in. The model's play may differ from time to time, also with a seed.
"""
import json
import os
import random
import re
import sys
import time
import urllib.request

URL = os.environ["CHAT_URL"].rstrip("/") + "/chat/completions"
TRIES, TIMEOUT_S = 3, 60
RULES = "You play {game} as player {player} of {players}. Answer with your move alone, written exactly as in the list of legal moves."


def complete(talk, seed):
    """The model's next words."""
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("CHAT_KEY", "")}
    body = {"model": os.environ.get("CHAT_MODEL", ""), "messages": talk, "temperature": 0, "seed": seed}
    request = urllib.request.Request(URL, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


def move_in(words, legal):
    """The last legal move that stands in the model's words; None if there is none."""
    found = [(m.start(), len(move), move) for move in legal
             for m in re.finditer(r"(?<!\S)[\"'`*(]*" + re.escape(move) + r"(?=[\"'`*).,;:!?]*(?:\s|$))", words)]
    return max(found)[2] if found else None


def choose(message, game, player):
    """The model's move; None if it gives no legal one, which forfeits the game: its play is its own."""
    moves, legal, seed = " ".join(game["moves"]), message["legal"], random.getrandbits(31)
    rules = RULES.format(game=json.dumps(game["rules"]), player=player + 1, players=game["players"])
    asked = f"Moves so far: {moves or 'none'}\n\n{message['board']}\n\nLegal moves: {', '.join(legal)}"
    talk = [{"role": "system", "content": rules}, {"role": "user", "content": asked}]
    for attempt in range(TRIES):
        try:
            words = complete(talk, seed)
            move = move_in(words, legal)
            if move is not None:
                return move
            talk += [{"role": "assistant", "content": words}, {"role": "user", "content": "That is no legal move. " + asked}]
        except Exception as error:  # the network, the server, or an answer of another shape
            print(f"try {attempt + 1}: {error}", file=sys.stderr, flush=True)
            time.sleep(attempt)
    return None


game, player = {}, 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        game = {"rules": message["game"], "players": message["players"], "moves": []}
        answer = {"type": "hello", "protocol": 1, "name": "chat", "wants": "texts", "view": True}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "new-game":
        player, game["moves"] = message["seat"], []
        random.seed(str(message["seed"]))
    elif message["type"] == "decide":
        game["moves"] += message["moves"]
        move = choose(message, game, player)
        answer = {"type": "decision", "action": move}
        if move is None:
            answer = {"type": "error", "detail": f"the model gave no legal move in {TRIES} tries"}
        print(json.dumps(answer), flush=True)
