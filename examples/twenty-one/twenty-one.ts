import { defineGame, InputError, TERMINAL, z, type Facets, type Rules, type State } from "agon-arena";

/** Players count up in steps of 1, 2 or 3; the player who has to say the last number loses. */
class CountingState implements State {
  toMove = 0;
  count = 0;
  /** The player on turn, also after the end. */
  turn = 0;
  private readonly last: number;
  private readonly steps: Int32Array;
  private plies = 0;

  constructor(last: number) {
    this.last = last;
    this.steps = new Int32Array(last);
  }

  get hashLow(): number {
    return Math.imul(2 * this.count + this.turn + 1, 0x9e3779b1);
  }

  get hashHigh(): number {
    return Math.imul(2 * this.count + this.turn + 1, 0x85ebca6b);
  }

  legalActions(out: Int32Array, at: number): number {
    const most = Math.min(3, this.last - this.count);
    for (let step = 1; step <= most; step++) out[at + step - 1] = step;
    return most;
  }

  apply(step: number): void {
    this.steps[this.plies++] = step;
    this.count += step;
    this.turn = 1 - this.turn;
    this.toMove = this.count === this.last ? TERMINAL : this.turn;
  }

  undo(): void {
    this.count -= this.steps[--this.plies];
    this.turn = 1 - this.turn;
    this.toMove = this.turn;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    return player === this.turn ? 1 : -1;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.count = other.count;
    this.turn = other.turn;
    this.plies = 0;
  }
}

function parseState(text: string, last: number): CountingState {
  const [count, turn] = text.split(" ").map(Number);
  if (!(count! >= 0 && count! <= last) || (turn !== 1 && turn !== 2)) {
    throw new InputError(`"${text}" is no position; write the count and whose turn it is, such as "8 1"`);
  }
  const state = new CountingState(last);
  state.count = count!;
  state.turn = turn - 1;
  state.toMove = count === last ? TERMINAL : state.turn;
  return state;
}

export const game = defineGame({
  id: "twenty-one",
  summary: "count up by 1, 2 or 3; who says the last number loses",
  options: z.strictObject({ last: z.int().min(4).max(1000).default(21).describe("the number that loses") }),
  rules: ({ last }): Rules<CountingState> => ({
    maxActions: 3,
    maxPlies: last,
    start: () => new CountingState(last),
    formatAction: (step) => `+${step}`,
    formatState: (state) => `${state.count} ${state.turn + 1}`,
    parseState: (text) => parseState(text, last),
    render: (state) => `${state.count} of ${last}, player ${state.turn + 1}`,
  }),
  facets: ({ last }): Facets<CountingState> => ({
    featureSets: {
      remainder: {
        summary: "the numbers left, modulo 4, for the player to move",
        version: 1,
        size: 4,
        maxActive: 1,
        extract(state, player, index, value) {
          index[0] = (last - state.count) % 4;
          value[0] = player === state.turn ? 1 : -1;
          return 1;
        },
        describe: (feature) => `${feature} left over four`,
      },
    },
    heuristics: {
      nearness: {
        summary: "better, the closer the other player is to the last number",
        evaluate(state, player) {
          const value = state.count / (2 * last);
          return player === state.turn ? 0 - value : value;
        },
      },
    },
  }),
});
