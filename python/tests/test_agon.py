"""Tests of the package: ``python -m unittest discover -s python/tests`` with AGON naming a command that starts agon.

Environments and frames are left out where NumPy, PettingZoo, Gymnasium or pandas is missing; AGON_PYTHON=1 makes that fail.
"""

import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
import warnings

import agon
from agon.bots import play

MUST = os.environ.get("AGON_PYTHON") == "1"

try:
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test

    import agon.gymnasium
    import agon.pettingzoo
except ImportError:
    if MUST:
        raise
    api_test = None

try:
    import agon.runs
except ImportError:
    if MUST:
        raise

BOT = """
import agon

@agon.bot("first")
def choose(turn):
    assert turn.seat in (0, 1) and turn.board and turn.position
    return turn.legal[0]
"""


class Bots(unittest.TestCase):
    def test_dialogue(self):
        """A whole game as docs/protocol.md has it."""
        said = io.StringIO()
        lines = [
            {"type": "hello", "protocol": 1, "game": {"id": "tic-tac-toe"}, "players": 2},
            {"type": "new-game", "id": "x", "seat": 1, "seed": [1, 2, 3, 4]},
            {"type": "decide", "moves": ["c1"], "legal": ["a1", "b1"], "budget": {"nodes": 5}},
            {"type": "decide", "moves": ["b1", "a2"], "legal": ["c3"], "budget": {}},
            {"type": "end-game", "moves": [], "returns": [0, 0]},
        ]
        turns = []

        def choose(turn):
            turns.append(turn)
            return {"action": turn.legal[-1], "value": 0.5}

        play(choose, name="last", source=map(json.dumps, lines), sink=said)
        answers = [json.loads(line) for line in said.getvalue().splitlines()]
        self.assertEqual(answers[0], {"type": "hello", "protocol": 1, "name": "last", "wants": "texts", "view": True})
        self.assertEqual(answers[1], {"type": "decision", "action": "b1", "value": 0.5})
        self.assertEqual([turn.moves for turn in turns], [["c1"], ["c1", "b1", "a2"]])
        self.assertEqual((turns[0].seat, turns[0].budget, turns[0].game), (1, {"nodes": 5}, {"id": "tic-tac-toe"}))

    def test_check(self):
        """agon plays games with a bot of nine lines and finds no fault."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bot.py")
            with open(path, "w") as file:
                file.write(BOT)
            path_of_package = os.path.dirname(os.path.dirname(agon.__file__))
            program = f"import sys; sys.path.insert(0, {path_of_package!r}); exec(open({path!r}).read())"
            done = subprocess.run(
                [*agon.games.usual_command(), "check", "--game", "chess", "--", sys.executable, "-c", program],
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Stepping(unittest.TestCase):
    def test_games_side_by_side(self):
        """Games are independent: the same seeds and actions give the same games, alone or side by side."""

        def played(numbers):
            rng = {number: random.Random(number) for number in numbers}
            with agon.Games("pig:target=30") as games:
                now = {game.number: game for game in games.reset((number, number) for number in numbers)}
                ended = {}
                while now:
                    moves = [(number, rng[number].choice(game.legal)) for number, game in now.items()]
                    for game in games.step(moves):
                        now[game.number] = game
                        if game.over:
                            ended[game.number] = now.pop(game.number).returns
                return ended

        together = played(range(20))
        self.assertEqual(together, {number: returns for one in range(20) for number, returns in played([one]).items()})
        self.assertEqual({tuple(returns) for returns in together.values()}, {(1, -1), (-1, 1)})

    def test_errors(self):
        with self.assertRaisesRegex(agon.AgonError, 'unknown game "chass"'):
            agon.Games("chass")
        with agon.Games("connect-four", against="random", seat=2) as games:
            [game] = games.reset([(0, 1)])
            self.assertEqual((game.player, len(game.legal)), (1, 7))
            with self.assertRaisesRegex(agon.AgonError, "action 7 is not legal; legal are 0, 1, 2"):
                games.step([(0, 7)])
            self.assertIn("x", games.render())

    def test_hidden(self):
        """A player of a game of hidden information sees its own card alone."""
        with agon.Games("kuhn", all_views=True) as games:
            self.assertEqual(games.observation["name"], "codes")
            seen = set()
            for seed in range(50):
                [game] = games.reset([(0, seed)])
                seen.add(tuple(tuple(view["codes"]) for view in game.views))
            self.assertEqual(len({own for own, _ in seen}), 3)
            with self.assertRaisesRegex(agon.AgonError, "unknown observation"):
                agon.Games("kuhn", observation="information")


@unittest.skipIf(api_test is None, "PettingZoo and Gymnasium are missing")
class Environments(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_pettingzoo(self):
        for game in ["connect-four", "leduc", "backgammon", "pig:players=3", "goofspiel:cards=4", "hearts:cards=3"]:
            with self.subTest(game=game):
                env = agon.pettingzoo.AgonEnv(game)
                api_test(env, num_cycles=150)
                env.close()
        seed_test(lambda: agon.pettingzoo.AgonEnv("pig"), num_cycles=60)

    def test_gymnasium(self):
        for game, options in [("2048", {}), ("connect-four", {"against": "random", "seat": 2}), ("kuhn", {"against": "random"})]:
            with self.subTest(game=game):
                env = agon.gymnasium.AgonEnv(game, **options)
                check_env(env, skip_render_check=True, skip_close_check=True)
                env.close()
        with self.assertRaisesRegex(agon.AgonError, "2 players"):
            agon.gymnasium.AgonEnv("chess")

    def test_rewards(self):
        """The rewards of 2048 add up to its score, which a text of the position has."""
        env = agon.gymnasium.AgonEnv("2048", render_mode="ansi")
        _, info = env.reset(seed=3)
        total, over, rng = 0.0, False, random.Random(3)
        while not over:
            action = rng.choice([at for at in range(4) if info["action_mask"][at]])
            _, reward, over, _, info = env.step(action)
            total += reward
        self.assertGreater(total, 100)
        self.assertIn(str(int(total)), env.render())
        env.close()


@unittest.skipIf(not hasattr(agon, "runs"), "pandas is missing")
class Runs(unittest.TestCase):
    def test_frames(self):
        with tempfile.TemporaryDirectory() as folder:
            config = os.path.join(folder, "run.yaml")
            with open(config, "w") as file:
                file.write('name: t\ngame: tic-tac-toe\nblocks: 5\nentrants: [random, "mcts:simulations=50"]\n')
            subprocess.run(
                [*agon.games.usual_command(), "run", config, "--out", os.path.join(folder, "run"), "-q"],
                check=True,
                capture_output=True,
            )
            games = agon.runs.games(os.path.join(folder, "run"))
            ratings = agon.runs.ratings(os.path.join(folder, "run"))
        self.assertEqual(len(games), 20)
        self.assertEqual(games.groupby("game")["score"].sum().abs().max(), 0)
        scores = (games.groupby("name")["score"].mean() + 1) / 2
        for name, score in zip(ratings["name"], ratings["score"]):
            self.assertAlmostEqual(scores[name], score, places=3)


if __name__ == "__main__":
    unittest.main()
