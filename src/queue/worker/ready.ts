/** How long what is not used is kept, in ms: processes that wait take memory. */
const IDLE_MS = 60_000;

/** What is needed to play for one bundle. */
interface Kit {
  /** Of the run or the training. */
  readonly name: string;
  /** Ends all that plays. */
  close(): unknown;
}

interface Held<K> {
  readonly kit: Promise<K>;
  /** Its name, once it is made. */
  name?: string;
  /** Jobs that it is made for, or plays. */
  atWork: number;
  /** Runs while it has no job. */
  idle?: NodeJS.Timeout;
}

/** What a worker has ready, by bundle. Of those with no job at hand, the ones that were used last are kept for a while. */
export class Ready<K extends Kit> {
  private readonly make: (bundle: string) => Promise<K>;
  private readonly most: number;
  /** The one that was used last at the end. */
  private readonly held = new Map<string, Held<K>>();

  /** @param most so many are kept at once, where not more are needed */
  constructor(make: (bundle: string) => Promise<K>, most: number) {
    this.make = make;
    this.most = most;
  }

  /** The names of those that have jobs. */
  get names(): string[] {
    return Array.from(this.held.values()).flatMap(({ name, atWork }) =>
      name === undefined || atWork === 0 ? [] : [name],
    );
  }

  /** Does `work` with what is needed for a bundle, which is made where it is not there; throws what `make` throws. */
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
