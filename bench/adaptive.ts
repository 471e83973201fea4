import { POOLS, simulateTournaments, type Outcome } from "./adaptive-tournaments.ts";

/**
 * The share of neighbours in the right order, in simulated tournaments: a round robin, the same with fewer games, and an adaptive
 * one with as few: `npm run bench -- adaptive [POOL [TOURNAMENTS [BLOCKS [SHARE [ROUND]]]]]`.
 */
const [, , name = "quick", tournaments = "2000", blocks = "40", share = "0.6", round = "64"] = process.argv;

const pool = POOLS[name];
if (pool === undefined) throw new Error(`no pool ${name}; there are ${Object.keys(POOLS).join(", ")}`);
const outcomes: Outcome[] = Array.from({ length: Number(tournaments) }, (_, at) =>
  simulateTournaments(pool, {
    blocks: Number(blocks),
    share: Number(share),
    round: Number(round),
    seed: `${name} ${at}`,
  }),
);
for (const kind of ["roundRobin", "shortRoundRobin", "adaptive"] as const) {
  const shares = outcomes.map((one) => one[kind]);
  const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  const variance = shares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (shares.length - 1);
  const error = Math.sqrt(variance / shares.length);
  console.log(`${kind}: ${(100 * mean).toFixed(2)}% (s.e. ${(100 * error).toFixed(2)})`);
}
process.exit();
