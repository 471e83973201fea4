/**
 * The outcomes of the chance events on a search's path: the bounds of each value, the order of the search, and the
 * least and the most that later outcomes add to the mean. Indexes are those of the search's ChanceStack.
 */
export class OutcomeBounds {
  low = new Float64Array(0);
  high = new Float64Array(0);
  /** The indexes of the outcomes, in the order of the search. */
  order = new Int32Array(0);
  /** By place in the order: sums of probability times bound over all later outcomes. */
  restLow = new Float64Array(0);
  restHigh = new Float64Array(0);

  /** Begins a chance event, whose outcomes at from...end-1 are worth `lowest` to `highest`. */
  begin(probabilities: Float64Array, from: number, end: number, lowest: number, highest: number): void {
    this.reserve(end);
    this.low.fill(lowest, from, end);
    this.high.fill(highest, from, end);
    for (let index = from; index < end; index++) this.order[index] = index;
    this.addUp(probabilities, from, end);
  }

  /**
   * Sorts outcomes so that those with the widest bounds, times probability, come first, and adds the bounds up again.
   */
  arrange(probabilities: Float64Array, from: number, end: number): void {
    const { order, low, high } = this;
    for (let place = from + 1; place < end; place++) {
      const index = order[place];
      const open = probabilities[index] * (high[index] - low[index]);
      let to = place;
      for (; to > from; to--) {
        const before = order[to - 1];
        if (probabilities[before] * (high[before] - low[before]) >= open) break;
        order[to] = before;
      }
      order[to] = index;
    }
    this.addUp(probabilities, from, end);
  }

  private addUp(probabilities: Float64Array, from: number, end: number): void {
    const { order, low, high, restLow, restHigh } = this;
    let sumLow = 0;
    let sumHigh = 0;
    for (let place = end - 1; place >= from; place--) {
      const index = order[place];
      restLow[place] = sumLow;
      restHigh[place] = sumHigh;
      sumLow += probabilities[index] * low[index];
      sumHigh += probabilities[index] * high[index];
    }
  }

  private reserve(end: number): void {
    if (end <= this.low.length) return;
    const longer = (values: Float64Array) => {
      const copy = new Float64Array(2 * end);
      copy.set(values);
      return copy;
    };
    const order = new Int32Array(2 * end);
    order.set(this.order);
    this.order = order;
    this.low = longer(this.low);
    this.high = longer(this.high);
    this.restLow = longer(this.restLow);
    this.restHigh = longer(this.restHigh);
  }
}
