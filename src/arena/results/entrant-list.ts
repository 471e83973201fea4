import type { TournamentPlan } from "../plan/plan.ts";
import { makeOf } from "../store/identity.ts";

/** An entrant of one or several runs. */
interface Known {
  readonly make: string;
  /** Its name in the first run that has it, behind it a number where another entrant has that name. */
  readonly name: string;
  /** Its names in later runs that call it otherwise. */
  readonly others: Set<string>;
}

/**
 * The entrants of several runs in one list. An entrant is known by what determines its play: spec, code and the content of
 * its weights. Entrants of one run stay apart even if they play the same way.
 */
export class EntrantList {
  private readonly known: Known[] = [];
  private readonly renamed: string[] = [];

  get names(): string[] {
    return this.known.map(({ name }) => name);
  }

  /** Sentences about entrants that are shown under another name than some of their runs give them. */
  get notes(): string[] {
    const shared = this.known
      .filter(({ others }) => others.size > 0)
      .map(
        ({ name, others }) => `${name} is also called ${[...others].join(" and ")}: they play the same way`,
      );
    return [...shared, ...this.renamed];
  }

  /** Adds the entrants of the run in `dir`; returns the index of each in the list. */
  add({ entrants }: TournamentPlan, dir: string): number[] {
    // The names of files tell who plays, also if a file is missing.
    const makes = entrants.map((entrant) => makeOf(entrant, dir, JSON.stringify(entrant.spec)).make);
    const taken = new Set<number>();
    const take = (isFitting: (one: Known) => boolean): number => {
      const found = this.known.findIndex((one, at) => !taken.has(at) && isFitting(one));
      if (found >= 0) taken.add(found);
      return found;
    };
    const indexes = entrants.map(({ name }, at) =>
      take((one) => one.make === makes[at] && (one.name === name || one.others.has(name))),
    );
    for (const [at, { name }] of entrants.entries()) {
      if (indexes[at]! >= 0) continue;
      indexes[at] = take(({ make }) => make === makes[at]);
      if (indexes[at] >= 0) this.known[indexes[at]]!.others.add(name);
      else {
        indexes[at] = this.create(name, makes[at]!, dir);
        taken.add(indexes[at]);
      }
    }
    return indexes;
  }

  private create(name: string, make: string, dir: string): number {
    const names = new Set(this.names);
    let unique = name;
    for (let number = 2; names.has(unique); number++) unique = `${name} (${number})`;
    if (unique !== name)
      this.renamed.push(`${unique} is ${name} of ${dir}, which plays otherwise than the other ${name}`);
    return this.known.push({ make, name: unique, others: new Set() }) - 1;
  }
}
