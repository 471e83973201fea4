import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TournamentPlan } from "../../arena/plan/plan.ts";
import { InputError } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import { show } from "./command.ts";

/** The option of commands that write. */
export const dryRunOption = {
  type: "boolean",
  default: false,
  describe: "check all, write nothing, and say what would be written",
} as const;

/** Says that a file would be written. Throws InputError if it is a folder. */
export function describeFile(path: string): void {
  const isThere = existsSync(path);
  if (isThere && statSync(path).isDirectory()) throw new InputError("is a folder; name a file", path);
  show(`Would ${isThere ? "change" : "write"} the file ${path}.`);
}

/** Says which runs would be played into folders. Throws InputError if a folder holds a run already that is not gone on with. */
export async function describeRuns(
  runs: readonly { readonly plan: TournamentPlan; readonly dir: string }[],
  { goesOn }: { readonly goesOn: boolean },
): Promise<void> {
  const { plannedGames } = await import("../../arena/formats/index.ts");
  const { Store } = await import("../../arena/store/store.ts");
  for (const { plan, dir } of runs) {
    let stored = 0;
    if (Store.exists(dir)) {
      if (!goesOn)
        throw new InputError("holds a run already; go on with --resume, or name another folder", dir);
      const store = Store.openExisting(dir);
      stored = store.size;
      store.close();
    }
    const { least, most } = plannedGames(plan, { total: undefined });
    const size = least === most ? counted(most, "game") : `${least} to ${counted(most, "game")}`;
    const there = stored === 0 ? "" : `, of which ${stored} are there`;
    show(
      `Would play ${size} of ${plan.game.id} by ${counted(plan.entrants.length, "entrant")} into ${dir}${there}.`,
    );
  }
}

/** The runs of a suite, with their folders in `dir`. */
export function runsOf(
  tournaments: readonly { readonly label: string; readonly plan: TournamentPlan }[],
  dir: string,
): { readonly plan: TournamentPlan; readonly dir: string }[] {
  return tournaments.map(({ label, plan }) => ({ plan, dir: join(dir, label) }));
}
