import process from "node:process";
import { Referee } from "../src/arena/play/referee.ts";
import { areaLead } from "../src/players/engine/gtp.ts";
import { createGame } from "../src/games/index.ts";
import { rowsOf, GtpConnection } from "../src/players/gtp/dialect.ts";
import { findProgram, PlayerProcess } from "../src/players/player-process.ts";
import { parseGameSpec } from "../src/specs/games.ts";
import { loadAgent, parseAgentSpec } from "../src/specs/agents.ts";

/**
 * Go: GNU Go against itself by agon's referee, then each game move by move into a third GNU Go, which counts it:
 * `npm run bench -- gnugo [GAMES [LEVEL [FIRST [AGENT [GAME]]]]]`, where GAME is
 * such as `go:size=7`. It prints every game about which the programs differ, and how many there are.
 * With AGENT, such as `mcts:timeMs=1000,playout=mogo`, that agent plays every game against GNU Go, Black in the even ones. It
 * also prints each result and the agent's score with its 95% interval (Wilson), by GNU Go's count.
 */
const [, , count = "500", level = "0", first = "0", agent, spec = "go:ko=positional-superko"] = process.argv;

const game = createGame(parseGameSpec(spec, process.cwd()));
const { size, komi, ko } = game.options as { size: number; komi: number; ko: string };
const rules = ["--chinese-rules", ko === "simple" ? "--simple-ko" : "--positional-superko"];
rules.push("--play-out-aftermath", "--capture-all-dead");
const options = ["--mode", "gtp", "--level", level, ...rules, "--never-resign"];
const create = async () => (await loadAgent(game, { agent: "gtp", command: ["gnugo", ...options] })).create();
const own = agent === undefined ? undefined : await loadAgent(game, parseAgentSpec(agent));
const agents = [own === undefined ? await create() : own.create(), await create()];
const seats = agents.map((player, at) => ({ agent: player, budget: at === 0 && own ? own.budget : {} }));
const third = new PlayerProcess({ command: [findProgram("gnugo")!, ...options] });
const counter = new GtpConnection(third);
for (const command of [`boardsize ${size}`, `komi ${komi}`]) await counter.demand(command);

const referee = new Referee(game, () => performance.now(), { limitMs: 60_000 });
const found = {
  games: 0,
  forfeits: 0,
  refusedMoves: 0,
  otherResults: 0,
  otherScores: 0,
  atMoveLimit: 0,
  moves: 0,
};
/** The games that AGENT has won, and its nodes and decisions in all. */
let won = 0;
let simulations = 0;
let decisions = 0;
/** The normal quantile of a 95% interval. */
const Z = 1.96;
const begun = performance.now();
for (let number = Number(first); number < Number(first) + Number(count); number++) {
  const id = `gnugo ${number}`;
  const black = own === undefined ? 0 : number % 2;
  const result = await referee.play(black === 0 ? seats : seats.toReversed(), {
    id,
    block: id,
    opening: [],
    seed: "gnugo",
  });
  const { actions, ending, returns, detail } = result;
  found.games++;
  found.moves += actions.length;
  if (ending !== "finished") {
    found.forfeits++;
    console.log(`${id}: ${ending}: ${detail}`);
    continue;
  }
  await counter.demand("clear_board");
  const state = game.start();
  for (const action of actions) {
    const move = `${["black", "white"][state.toMove]!} ${game.formatAction(action, state)}`;
    const { succeeded, text } = await counter.ask(`play ${move}`);
    if (!succeeded) {
      found.refusedMoves++;
      console.log(`${id}: ${move}: ${text}`);
    }
    state.apply(action);
  }
  if (actions.length === game.maxPlies) found.atMoveLimit++;
  const lead = areaLead(rowsOf(game.formatState(state), size)) - komi;
  const theirs = await counter.demand("final_score");
  const ours = `${lead > 0 ? "B" : "W"}+${Math.abs(lead)}`;
  if (theirs !== ours) found.otherScores++;
  if (theirs[0] !== ours[0]) found.otherResults++;
  if (theirs !== ours || Math.sign(lead) !== returns[0])
    console.log(`${id}: ${ours} here, ${theirs} there; ${actions.length} moves`);
  if (own === undefined) continue;
  if (theirs.startsWith("BW"[black]!)) won++;
  simulations += result.nodes[black]!;
  decisions += (actions.length + 1 - black) >> 1;
  const share = won / found.games;
  const half = Z * Math.sqrt((share * (1 - share)) / found.games + (Z / (2 * found.games)) ** 2);
  const [low, high] = [-1, 1].map(
    (sign) => (share + Z ** 2 / (2 * found.games) + sign * half) / (1 + Z ** 2 / found.games),
  );
  const percent = (part: number) => `${(100 * part).toFixed(1)}%`;
  console.log(
    `${id}: ${theirs}; ${agent} is ${["Black", "White"][black]}; ${won} of ${found.games} won, ${percent(share)}, ` +
      `${percent(low!)} to ${percent(high!)}; ${Math.round(simulations / decisions)} nodes a move`,
  );
}
console.log(JSON.stringify({ ...found, seconds: Math.round((performance.now() - begun) / 1000) }));
for (const player of agents) player.close?.();
third.kill();
