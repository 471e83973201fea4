const FIRST_LENGTH = 1024;

/** A list of int32 that grows. */
export class GrowingInts {
  values: Int32Array = new Int32Array(FIRST_LENGTH);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Int32Array(2 * this.length);
      longer.set(this.values);
      this.values = longer;
    }
    this.values[this.length++] = value;
  }
}
