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
