import { POOLS, simulateIntervals, type Covered } from "./adaptive-tournaments.ts";

/**
 * The share of 95% intervals that hold the truth, in simulated tournaments whose pairings are chosen by results:
 * `npm run bench -- adaptive-coverage [POOL [TOURNAMENTS [BLOCKS [SHARE [ROUND [KIND]]]]]]`.
 */
const [, , name = "quick", tournaments = "2000", blocks = "40", share = "0.6", round = "64", only] =
  process.argv;

const pool = POOLS[name];
if (pool === undefined) throw new Error(`no pool ${name}; there are ${Object.keys(POOLS).join(", ")}`);
const size = { blocks: Number(blocks), share: Number(share), round: Number(round) };
for (const kind of ["round robin", "naive", "adaptive"] as const) {
  if (kind !== (only ?? kind)) continue;
  const covered = Array.from({ length: Number(tournaments) }, (_, at) =>
    simulateIntervals(pool, { ...size, seed: `${name} ${at}` }, kind),
  );
  const shares = (of: keyof Covered) => {
    const each = covered[0]![of].map(
      (_, place) => (100 * covered.filter((one) => one[of][place]).length) / covered.length,
    );
    const mean = each.reduce((sum, one) => sum + one, 0) / each.length;
    return `${of} ${mean.toFixed(2)}% (${each.map((one) => one.toFixed(1)).join(" ")})`;
  };
  console.log(`${kind}: ${shares("entrants")}, ${shares("neighbours")}`);
}
process.exit();
