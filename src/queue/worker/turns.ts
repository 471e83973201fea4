/** Lets work be done side by side, or alone. Whoever comes first, begins first. */
export class Turns {
  private readonly together = new Set<Promise<unknown>>();
  /** Ends when the last of those who work alone has ended. */
  private alone: Promise<unknown> = Promise.resolve();

  /** Works beside others, once those are ready who came before and work alone. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    const doing = this.alone.then(work);
    const done = doing.catch(() => {});
    this.together.add(done);
    void done.then(() => this.together.delete(done));
    return doing;
  }

  /** Works while nobody else does, once all are ready who came before. */
  async byItself<T>(work: () => Promise<T>): Promise<T> {
    const doing = Promise.all([this.alone, ...this.together]).then(work);
    this.alone = doing.catch(() => {});
    return doing;
  }
}
