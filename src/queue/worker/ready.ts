import type { Kit } from "./kits.ts";

/** An idle kit is kept for this long, in ms: waiting processes take memory. */
const IDLE_MS = 60_000;

interface Held<K> {
  readonly kit: Promise<K>;
  /** The kit's name, once the kit is made. */
  name?: string;
  /** The number of jobs that wait for it or are played by it. */
  atWork: number;
  /** The timer that runs while it has no job. */
  idle?: NodeJS.Timeout;
}

/** The kits of a worker, by bundle. The kits used last are kept for a while without a job. */
export class Ready<K extends Pick<Kit, "name" | "close">> {
  private readonly make: (bundle: string) => Promise<K>;
  private readonly most: number;
  /** In the order of their last use. */
  private readonly held = new Map<string, Held<K>>();

  /** @param most the number of kits to keep, unless more have jobs */
  constructor(make: (bundle: string) => Promise<K>, most: number) {
    this.make = make;
    this.most = most;
  }

  /** The names of the kits that have jobs. */
  get names(): string[] {
    return Array.from(this.held.values()).flatMap(({ name, atWork }) =>
      name === undefined || atWork === 0 ? [] : [name],
    );
  }

  /** Does `work` with the kit of a bundle, which is made if it is missing; throws what `make` throws. */
  async using<T>(bundle: string, work: (kit: K) => Promise<T>): Promise<T> {
    const held = this.held.get(bundle) ?? { kit: this.make(bundle), atWork: 0 };
    this.held.delete(bundle);
    this.held.set(bundle, held);
    held.atWork++;
    clearTimeout(held.idle);
    try {
      const kit = await this.made(bundle, held);
      await this.giveUpOld();
      return await work(kit);
    } finally {
      if (--held.atWork === 0) held.idle = setTimeout(() => void this.giveUp(bundle, held), IDLE_MS).unref();
    }
  }

  each(what: (kit: K) => unknown): void {
    for (const { kit } of this.held.values()) kit.then(what, () => {});
  }

  private async made(bundle: string, held: Held<K>): Promise<K> {
    try {
      const kit = await held.kit;
      held.name = kit.name;
      return kit;
    } catch (error) {
      if (this.held.get(bundle) === held) this.held.delete(bundle);
      throw error;
    }
  }

  private async giveUpOld(): Promise<void> {
    for (const [bundle, held] of this.held) {
      if (this.held.size <= this.most) return;
      if (held.atWork === 0) await this.giveUp(bundle, held);
    }
  }

  private async giveUp(bundle: string, held: Held<K>): Promise<void> {
    if (this.held.get(bundle) !== held || held.atWork > 0) return;
    clearTimeout(held.idle);
    this.held.delete(bundle);
    await (await held.kit).close();
  }
}

/** Orders work that runs side by side and work that runs alone: first come, first served. */
export class Turns {
  private readonly together = new Set<Promise<unknown>>();
  /** Resolves when the last work that runs alone has ended. */
  private alone: Promise<unknown> = Promise.resolve();

  /** Works beside others, after all earlier work that runs alone. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    const doing = this.alone.then(work);
    const done = doing.catch(() => {});
    this.together.add(done);
    void done.then(() => this.together.delete(done));
    return doing;
  }

  /** Works alone, after all earlier work. */
  async byItself<T>(work: () => Promise<T>): Promise<T> {
    const doing = Promise.all([this.alone, ...this.together]).then(work);
    this.alone = doing.catch(() => {});
    return doing;
  }
}
