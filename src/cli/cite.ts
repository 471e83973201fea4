import { Store } from "../arena/store/store.ts";
import { formatGame } from "../arena/results/runs.ts";
import { InputError } from "../base/errors.ts";
import { counted } from "../base/text.ts";
import { defineCommand, print } from "./shared/command.ts";

/** The most entrants that the sentence names. */
const MOST_NAMED = 6;

export const cite = defineCommand({
  builder: (yargs) =>
    yargs.positional("dir", { type: "string", demandOption: true, describe: "folder of a run" }),
  examples: [
    ["agon cite runs/quick-20261121-143059", "a BibTeX entry, and a sentence for a section on methods"],
  ],
  async handler({ dir }) {
    const store = Store.openExisting(dir);
    const plan = store.requirePlan(dir);
    const [{ size: games }, [first]] = [store, store.sittings];
    store.close();
    const names = plan.entrants.map(({ name }) => name);
    const among = names.length > MOST_NAMED ? counted(names.length, "entrant") : names.join(", ");
    if (first === undefined)
      throw new InputError("does not say which agon played it; runs say so from this version on", dir);
    const { agon, commit, node, processor, begun } = first;
    const year = begun.slice(0, 4);
    const build = commit === undefined ? "" : `commit ${commit}`;
    print(
      [
        `@software{agon${year},`,
        "  title = {agon: tournaments of game-playing agents with evaluators tuned by self-play},",
        "  author = {{The agon authors}},",
        `  version = {${agon}},`,
        ...(build === "" ? [] : [`  note = {${build}},`]),
        `  year = {${year}}`,
        "}",
        "",
        `${counted(games, "game")} of ${formatGame(plan)} between ${among} were ` +
          `played on ${begun.slice(0, 10)} by agon ${agon}${build === "" ? "" : ` (${build})`} with Node ${node} on ${processor}, ` +
          `from the seed "${plan.seed}". Each opening was played in every order of the seats, which makes a block; Elo ratings are of ` +
          `maximum likelihood over all games, and their 95% intervals take blocks as the unit.`,
      ].join("\n"),
    );
  },
});
