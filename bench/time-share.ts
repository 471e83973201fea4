import { agents } from "../src/agents/index.ts";
import { defineAgent, type Agent, type AgentFamily } from "../src/agents/agent.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { parseGameSpec } from "../src/specs/games.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { playTournament } from "../src/arena/tournament.ts";
import { formatReport } from "../src/ratings/sections/format-report.ts";

/**
 * An agent that shares out its clock against the same agent with the plain rule, a thirtieth of the time left and the
 * increment: `npm run bench -- time-share GAME AGENT TIME MINUTES [SEED]`. Flags are counted.
 */
const [, , gameText = "", agentText = "", time = "1+0.01", minutes = "1", seed = "time share"] = process.argv;

/** The same family, whose agents decide for `left/30 + increment` and know nothing of clocks. */
function plainRule(family: AgentFamily): AgentFamily {
  return defineAgent({
    ...family,
    id: "plain-rule",
    create(parts) {
      const agent: Agent = family.create(parts);
      return {
        choose(state, { clocks, ...turn }) {
          const { leftMs, incrementMs } = clocks![state.toMove]!;
          const timeMs = Math.max(1, Math.min(leftMs / 30 + incrementMs, leftMs - 20));
          return agent.choose(state, { ...turn, budget: { timeMs } });
        },
        newGame: (game) => agent.newGame?.(game),
      };
    },
  });
}

raiseInliningBudget();
const { agent, ...options } = parseAgentSpec(agentText);
const family = agents[agent]!;
const stop = new AbortController();
setTimeout(() => stop.abort(), Number(minutes) * 60_000);
const { records, report } = await playTournament(
  {
    name: "time-share",
    game: parseGameSpec(gameText, "."),
    seed,
    time,
    blocks: 100_000,
    openings: { randomPlies: 4 },
    entrants: [
      { name: "shares", ...options, agent: family },
      { name: "plain", ...options, agent: plainRule(family) },
    ],
  } as Parameters<typeof playTournament>[0],
  { workers: 0, signal: stop.signal },
);
console.log(formatReport(report, "table", { width: 100 }));
for (const seat of [0, 1]) {
  const flags = records.filter(
    ({ ending, seats, forfeitSeat }) => ending !== "finished" && seats[forfeitSeat] === seat,
  );
  const ms = records.flatMap(({ seats, timeMs }) =>
    seats.flatMap((one, at) => (one === seat ? [timeMs[at]!] : [])),
  );
  const mean = ms.reduce((sum, one) => sum + one, 0) / ms.length;
  console.log(`${["shares", "plain"][seat]}: ${flags.length} flags, ${Math.round(mean)} ms a game`);
}
for (const { detail } of records.filter(({ ending }) => ending !== "finished")) console.log(detail);
process.exit();
