/**
 * The items with the highest scores of all that were offered, the lower item among equal scores: a heap
 * with the least of them on top.
 */
export class Largest {
  /** What a score must exceed to be kept; scores up to the floor never are. */
  least: number;
  private readonly capacity: number;
  private readonly scores: number[] = [];
  private readonly items: number[] = [];

  constructor(capacity: number, floor = -Infinity) {
    this.capacity = capacity;
    this.least = floor;
  }

  /** Items are offered in ascending order. */
  offer(score: number, item: number): void {
    if (!(score > this.least)) return;
    const { scores, items, capacity } = this;
    if (scores.length < capacity) {
      scores.push(score);
      items.push(item);
      this.rise(scores.length - 1);
    } else {
      scores[0] = score;
      items[0] = item;
      this.sink();
    }
    if (scores.length === capacity) this.least = scores[0]!;
  }

  /** What was kept, highest first. */
  sorted(): { readonly score: number; readonly item: number }[] {
    return this.scores
      .map((score, at) => ({ score, item: this.items[at]! }))
      .toSorted((a, b) => b.score - a.score || a.item - b.item);
  }

  private rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      let worst = at;
      for (let child = left; child < Math.min(left + 2, this.scores.length); child++)
        if (this.isWorse(child, worst)) worst = child;
      if (worst === at) return;
      this.swap(at, worst);
      at = worst;
    }
  }

  private isWorse(a: number, b: number): boolean {
    const { scores, items } = this;
    return scores[a]! < scores[b]! || (scores[a]! === scores[b]! && items[a]! > items[b]!);
  }

  private swap(a: number, b: number): void {
    const { scores, items } = this;
    [scores[a], scores[b]] = [scores[b]!, scores[a]!];
    [items[a], items[b]] = [items[b]!, items[a]!];
  }
}
