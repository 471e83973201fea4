import { createRandom, type Random } from "../../base/random.ts";

/** Normal variables, from a fixed seed, by the method of Box and Muller (1958). */
export class NormalDraws {
  private readonly random: Random;
  private spare: number | undefined;

  constructor(name: string) {
    this.random = createRandom(name);
  }

  next(): number {
    const { spare } = this;
    if (spare !== undefined) {
      this.spare = undefined;
      return spare;
    }
    const size = Math.sqrt(-2 * Math.log(1 - this.random.float()));
    const angle = 2 * Math.PI * this.random.float();
    this.spare = size * Math.sin(angle);
    return size * Math.cos(angle);
  }
}
