/**
 * A sum of numbers without rounding, kept as a list of numbers that do not overlap (Shewchuk 1997, "Adaptive precision
 * floating-point arithmetic"). Its value does not depend on the order of the numbers.
 */
export class ExactSum {
  /** From small to large; usually one or two. */
  private partials: number[] = [];

  add(value: number): void {
    const { partials } = this;
    let rest = value;
    let kept = 0;
    for (let at = 0; at < partials.length; at++) {
      const sum = rest + partials[at];
      // The rounding error of the sum (Knuth 1969).
      const part = sum - rest;
      const lost = rest - (sum - part) + (partials[at] - part);
      if (lost !== 0) partials[kept++] = lost;
      rest = sum;
    }
    partials[kept++] = rest;
    partials.length = kept;
  }

  /** Adds the product of two numbers, which are below 1e150 in size. */
  addProduct(one: number, other: number): void {
    const product = one * other;
    this.add(product);
    // The rounding error of the product (Dekker 1971).
    const oneHigh = highHalf(one);
    const otherHigh = highHalf(other);
    const oneLow = one - oneHigh;
    const otherLow = other - otherHigh;
    this.add(oneLow * otherLow - (product - oneHigh * otherHigh - oneLow * otherHigh - oneHigh * otherLow));
  }

  addScaled(other: ExactSum, factor: number): void {
    for (const part of other.partials) this.addProduct(part, factor);
  }

  /** The sum, rounded once. */
  value(): number {
    const { partials } = this;
    let at = partials.length - 1;
    if (at < 0) return 0;
    let sum = partials[at--];
    while (at >= 0) {
      const before = sum;
      const part = partials[at--];
      sum += part;
      const lost = part - (sum - before);
      if (lost === 0) continue;
      // Halfway between two numbers, the smaller parts decide.
      const doubled = 2 * lost;
      const next = sum + doubled;
      if (at >= 0 && lost > 0 === partials[at] > 0 && next - sum === doubled) return next;
      return sum;
    }
    return sum;
  }

  clear(): void {
    this.partials.length = 0;
  }
}

/** The upper 26 of the 53 bits of a number, rounded. */
function highHalf(value: number): number {
  const scaled = 134217729 * value;
  return scaled - (scaled - value);
}
