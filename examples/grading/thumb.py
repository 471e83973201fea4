# Connect four by rules of thumb: win, else block, else the column nearest to the middle.
import json, sys

WIDTH, HEIGHT = 7, 6


def drop(board, column, player):
    """The row in which a stone of a player comes to rest."""
    row = sum(1 for cell in board if cell[0] == column)
    board[(column, row)] = player
    return row


def wins(board, column, player):
    """True if the player's stone in this column makes four in a row."""
    after = dict(board)
    row = drop(after, column, player)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            x, y = column + sign * dx, row + sign * dy
            while after.get((x, y)) == player:
                length += 1
                x, y = x + sign * dx, y + sign * dy
        if length >= 4:
            return True
    return False


board, mover = {}, 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "thumb", "wants": "numbers"}
    elif message["type"] == "new-game":
        board, mover = {}, 0
        continue
    elif message["type"] == "decide":
        for column in message["moves"]:
            drop(board, column, mover)
            mover = 1 - mover
        legal = sorted(message["legal"], key=lambda column: abs(column - WIDTH // 2))
        good = [column for player in (mover, 1 - mover) for column in legal if wins(board, column, player)]
        answer = {"type": "decision", "action": (good + legal)[0]}
    else:
        continue
    print(json.dumps(answer), flush=True)
