import { escapeControls } from "../../base/errors.ts";
import { describeBuild } from "../build.ts";
import { fits, type Roster, type RunEntry, type WorkerEntry } from "../roster.ts";
import type { QueueAddress } from "../redis.ts";

/** The most games that are given out to be played at once. Entries of workers may be forged. */
const MAX_SLOTS = 4096;

/** The workers that play for a run, from the roster. It tells people when no worker is there. */
export class Workforce {
  /** The number of games that these workers play at once. */
  slots = 0;
  private fitting: readonly WorkerEntry[] = [];
  /** The reasons why workers could not play, by worker id. Cleared when games come back. */
  private readonly troubles = new Map<string, string>();
  private readonly liars = new Set<string>();
  private readonly roster: Roster;
  private readonly address: QueueAddress;
  private readonly onNote: (text: string) => void;
  /** The note that fitted at the last look, and the last note that was given. */
  private seen = "";
  private said = "";

  constructor(
    roster: Roster,
    { address, onNote }: { address: QueueAddress; onNote: (text: string) => void },
  ) {
    this.roster = roster;
    this.address = address;
    this.onNote = onNote;
  }

  async look(run: RunEntry): Promise<void> {
    const all = await this.roster.workers();
    const fitting = all.filter((worker) => fits(worker, run));
    this.fitting = fitting;
    this.slots = Math.min(
      MAX_SLOTS,
      fitting.reduce((sum, { workers }) => sum + workers, 0),
    );
    const others = all.filter((worker) => !fitting.includes(worker));
    const strange = others.filter(({ code }) => code !== run.code);
    const words = [
      ...(fitting.length === 0
        ? [`No worker is there for this run. Start some: agon worker ${this.address.shown}`]
        : []),
      ...(strange.length === 0 ? [] : [refusal(strange, run)]),
      ...(others.length === strange.length
        ? []
        : [`${others.length - strange.length} of the workers take no code: start them with --allow-plugins`]),
    ].join("\n");
    // Workers that were started at the same time have not announced themselves yet.
    if (words === this.seen && words !== this.said && words !== "") this.onNote(words);
    if (words === this.seen) this.said = words;
    this.seen = words;
  }

  /** Notes that games came back. */
  hearGames(): void {
    this.troubles.clear();
  }

  /**
   * Is told why a worker could not play. The cause may be its machine alone: a full disk, a missing package. Returns true
   * if every known worker has failed since games last came back.
   */
  hearTrouble(id: string, why: string): boolean {
    const isNew = this.troubles.get(id) !== why;
    this.troubles.set(id, why);
    if (this.fitting.every((one) => this.troubles.has(one.id))) return true;
    if (isNew) this.onNote(`${this.nameOf(id)} cannot play, others get its games: ${escapeControls(why)}`);
    return false;
  }

  /** Is told that a worker has sent a game that the rules do not give; one note for each worker. */
  hearLie(id: string, why: string): void {
    if (this.liars.has(id)) return;
    this.liars.add(id);
    this.onNote(`${this.nameOf(id)} has sent what is no game, which is played again: ${escapeControls(why)}`);
  }

  private nameOf(id: string): string {
    const worker = this.fitting.find((one) => one.id === id);
    return worker === undefined
      ? `a worker, ${escapeControls(id.slice(0, 40))},`
      : `the worker ${worker.host}:${worker.pid}`;
  }
}

/** The note about workers of another build than the run's. */
function refusal(workers: readonly WorkerEntry[], run: RunEntry): string {
  const some = workers
    .slice(0, 3)
    .map(({ host, pid, version, node }) => `${host}:${pid} (${version}, Node ${node})`);
  const more = workers.length > 3 ? ` and ${workers.length - 3} more` : "";
  return `${some.join(", ")}${more}: another agon than this one (${describeBuild(run)}), which gets no games of this run`;
}
