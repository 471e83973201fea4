/**
 * The actions or chance outcomes of the nodes on a search's path, one node after the other, with the
 * outcomes' probabilities. It grows as needed: how many chance events may follow each other is
 * declared nowhere.
 */
export class ChanceStack {
  actions: Int32Array;
  probabilities: Float64Array;

  constructor(size: number) {
    this.actions = new Int32Array(size);
    this.probabilities = new Float64Array(size);
  }

  /** Makes room for indexes below `end`; arrays read before may be out of use after it. */
  reserve(end: number): void {
    if (end <= this.actions.length) return;
    const actions = new Int32Array(2 * end);
    const probabilities = new Float64Array(2 * end);
    actions.set(this.actions);
    probabilities.set(this.probabilities);
    this.actions = actions;
    this.probabilities = probabilities;
  }
}
