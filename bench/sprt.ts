import type { FormatPlan } from "../src/arena/formats/format.ts";
import { createRandom } from "../src/base/random.ts";
import { fixedSize, simulateTests, truthAt, type Kind } from "../test/arena/formats/simulate-sprt.ts";

/**
 * Error rates and lengths of the format `sprt`, simulated: `npm run bench -- sprt [TESTS]`. Each line has the shares of tests
 * that accept H1 where the Elo is elo0, and H0 where it is elo1; the mean blocks for five Elos; the blocks of a test of fixed
 * size with the same error rates.
 */
const tests = Number(process.argv[2] ?? 10_000);
const [elo0, elo1] = [0, 10];
const TRUTHS = [-5, 0, 5, 10, 15];

const KINDS: readonly (Kind & { readonly name: string })[] = [
  { name: "no draws, independent games", players: 2, draws: 0, shared: "nothing" },
  { name: "30% draws, shared luck", players: 2, draws: 0.3, shared: "luck" },
  { name: "60% draws, independent games", players: 2, draws: 0.6, shared: "nothing" },
  { name: "60% draws, shared openings", players: 2, draws: 0.6, shared: "opening" },
  { name: "three players", players: 3, draws: 0, shared: "nothing" },
];

const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
console.log(
  `${tests} tests of each Elo, bounds ${elo0} and ${elo1}, alpha and beta 5%, rounds of 64, at most 20,000 blocks`,
);
console.log(
  `| model | games | H1 at ${elo0} | H0 at ${elo1} | blocks at ${TRUTHS.join(", ")} | fixed size |`,
);
for (const model of ["logistic", "normalised"] as const) {
  for (const { name, ...kind } of KINDS) {
    const rule = { elo0, elo1, alpha: 0.05, beta: 0.05, model };
    const plan: FormatPlan = {
      format: { type: "sprt", ...rule },
      entrants: [{ name: "one" }, { name: "other" }],
      players: kind.players,
      blocks: 20_000,
      round: 64,
      seed: "",
    };
    const rates = TRUTHS.map((elo) =>
      simulateTests(plan, truthAt(elo, kind, rule), {
        tests,
        random: createRandom("sprt", model, name, elo),
      }),
    );
    const at = (elo: number) => rates[TRUTHS.indexOf(elo)]!;
    const none = Math.max(...rates.map(({ accepted: { H0, H1 } }) => 1 - H0 - H1));
    const cells = [
      model,
      name,
      percent(at(elo0).accepted.H1),
      percent(at(elo1).accepted.H0),
      rates.map(({ blocks }) => blocks.toFixed(0)).join(", "),
      fixedSize(truthAt(elo0, kind, rule), truthAt(elo1, kind, rule)),
    ];
    console.log(`| ${cells.join(" | ")} |`);
    console.log(
      `  below: H1 ${percent(rates[0]!.accepted.H1)}, above: H0 ${percent(rates.at(-1)!.accepted.H0)}, no decision: at most ${percent(none)}`,
    );
  }
}
