# Connect four without a thought: always the last column that is free. Its author did not think of the end of a game either: when
# one column alone is free, there is nothing left to play.
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "edge", "wants": "numbers"}
    elif message["type"] == "decide":
        answer = {"type": "decision", "action": message["legal"][1:][-1]}
    else:
        continue
    print(json.dumps(answer), flush=True)
