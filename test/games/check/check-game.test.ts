import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkGame, GAME_CHECKS, runGameChecks } from "../../../src/games/check/check-game.ts";
import { formatFinding } from "../../../src/games/check/finding.ts";
import {
  CHANCE,
  TERMINAL,
  varyGame,
  type Game,
  type GameFamily,
  type Picture,
  type TupleBoard,
  type Policy,
  type PolicyHead,
} from "../../../src/games/contract/game.ts";
import { simpleGame } from "../../../src/games/contract/simple-game.ts";
import type { Privacy } from "../../../src/games/contract/privacy.ts";
import { createGame } from "../../../src/games/index.ts";
import type { KuhnState } from "../../../src/games/kuhn/kuhn.ts";
import { createTiny, TinyState } from "./tiny.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

const kuhn = createGame("kuhn");
/** Kuhn poker with another privacy. */
function kuhnWith(change: (honest: Privacy) => Privacy | undefined): Game {
  return varyGame(kuhn, { privacy: change(kuhn.privacy!) });
}

/** The tiny game as a tuple network reads it: nine cells, the count's cell holds 1. */
const board: TupleBoard<TinyState> = {
  cells: 9,
  digits: 2,
  symmetries: [[0, 1, 2, 3, 4, 5, 6, 7, 8]],
  neighbours: Array.from({ length: 9 }, (_, cell) => [cell === 0 ? 1 : cell - 1]),
  read(state, _, digits) {
    digits.fill(0, 0, 9);
    digits[state.count] = 1;
  },
  cellName: (cell) => `${cell}`,
  digitName: (digit) => `${digit}`,
};
/** Tactics in which nothing is noisy, with one fault. */
function withHead(head: Omit<PolicyHead, "version">): Game {
  return createTiny({ policyHead: { version: 1, ...head } });
}

function withTactics(fault: { noisy?: number; isForced?: boolean; gain?: number; passes?: boolean }): Game {
  return createTiny({
    tactics: {
      summary: "made up",
      isForced: () => fault.isForced === true,
      noisyActions(_state, out, at) {
        if (fault.noisy === undefined) return 0;
        out[at] = fault.noisy;
        return 1;
      },
      gain: () => fault.gain ?? 0,
      ...(fault.passes === true && { pass: { isSafe: () => true, apply: () => {}, undo: () => {} } }),
    },
  });
}

/** Foresight of nothing, with these candidates, or of a win that is not there. */
function withForesight({ candidates = [0], plies = 0 }: { candidates?: number[]; plies?: number }): Game {
  return createTiny({
    solving: {
      foresight: {
        foresee: () => plies,
        soonest: 2,
        candidates(_state, out, at) {
          out.set(candidates, at);
          return candidates.length;
        },
      },
    },
  });
}

const picture: Picture<TinyState> = {
  width: 9,
  height: 1,
  ground: [],
  draw: ({ count }) => [{ kind: "circle", x: count, y: 0, r: 1, fill: "ink" }],
  places: Array.from({ length: 12 }, (_, x) => ({ name: `${x}`, x, y: 0, w: 1, h: 1 })),
  describe: ({ count }, place) => (place === count ? "the count" : ""),
  touches: ({ count }, action) => [count + action],
};
const phase = { unit: "count", max: 12, of: (state: TinyState) => state.count };

const deeds = { kinds: ["one", "more"], kindOf: (action: number) => (action === 1 ? 0 : 1) };

/** A tiny game whose feature set is changed. */
function withFeatures(changed: Partial<Game<TinyState>["featureSets"][string]>): Game {
  const features = createTiny().featureSets["count"]!;
  return createTiny({ featureSets: { count: { ...features, ...changed } as typeof features } });
}

function withHeuristic(evaluate: (state: TinyState, player: number) => number): Game {
  return createTiny({ heuristics: { bad: { summary: "bad", evaluate } } });
}

function withPolicy(choose: (state: TinyState) => number, promises?: Policy["promises"]): Game {
  const policy = { choose, ...(promises && { promises }) };
  return createTiny({ policies: { bad: { summary: "bad", create: () => policy } } });
}

/** A tiny game with other states, which the class's own code makes wrong. */
function withState(Position: new () => TinyState, overrides: Partial<Game<TinyState>> = {}): Game {
  return createTiny(overrides, Position);
}

test("nothing is wrong with a good game, with or without chance and facets", () => {
  class Certain extends TinyState {
    override apply(action: number): void {
      super.apply(action);
      if (this.toMove !== CHANCE) return;
      this.turn = 1 - this.turn;
      this.toMove = this.turn;
    }
  }
  expect(checkGame(createTiny({ tupleBoard: board as TupleBoard, phase, picture, deeds }))).toEqual([]);
  expect(checkGame(withState(Certain, { chance: false }))).toEqual([]);
  const { featureSets: _, heuristics: __, policies: ___, ...bare } = createTiny();
  expect(checkGame(bare as Game)).toEqual([]);
});

/** By check: what is found, and games for which it is. */
const BROKEN: readonly (readonly [check: string, found: RegExp, game: () => Game])[] = [
  ["privacy", /^hiddenInformation is declared, and there is no privacy/, () => kuhnWith(() => undefined)],
  [
    "privacy",
    /^there is a privacy, and hiddenInformation is not declared/,
    () => varyGame(kuhn, { hiddenInformation: false }),
  ],
  [
    "privacy",
    /^player 0 has 5 codes; maxCodes is 4/,
    () => kuhnWith((honest) => ({ ...honest, maxCodes: 4 })),
  ],
  [
    "worlds",
    /^the same generator draws the world .* from one of two worlds/,
    // It remembers the cards and gives the truth one time in ten.
    () =>
      kuhnWith((honest) => {
        const cards = [0, 0];
        return {
          ...honest,
          seen(state, action, player, out, at) {
            if ((state as KuhnState).events < 2) cards[(state as KuhnState).events] = action;
            return honest.seen(state, action, player, out, at);
          },
          worlds(codes, count, player) {
            const source = honest.worlds(codes, count, player);
            const [first, second] = cards;
            return {
              draw(random, out) {
                const length = source.draw(random, out);
                if (random.below(10) === 0) out.set([first!, second!]);
                return length;
              },
            };
          },
        };
      }),
  ],
  [
    "worlds",
    /^a drawn world gives player 0 the codes/,
    () =>
      kuhnWith((honest) => ({
        ...honest,
        worlds: (codes, count, player) => ({
          draw(random, out) {
            const length = honest.worlds(codes, count, player).draw(random, out);
            out[0] = 0;
            if (out[1] === 0) out[1] = 1;
            return length;
          },
        }),
      })),
  ],
  [
    "information-sets",
    /^with equal codes of player \d, the view is "[^"]+" here and/,
    () => kuhnWith((honest) => ({ ...honest, formatView: (state) => kuhn.formatState(state) })),
  ],
  [
    "information-sets",
    /^with equal codes of player \d, the drawn view is/,
    () => {
      const phantom = createGame({ id: "phantom-tic-tac-toe", size: 2 });
      const picture = phantom.picture!;
      const view: Picture["view"] = {
        draw: (state) => picture.draw(state),
        describe: (state, place) => picture.describe(state, place),
      };
      return varyGame(phantom, { picture: { ...picture, view } });
    },
  ],
  [
    "world-frequencies",
    /^\d+ draws from the 2 worlds of player \d do not have their probabilities/,
    () =>
      kuhnWith((honest) => ({
        ...honest,
        worlds: (codes, count, player) => ({
          draw(random, out) {
            const length = honest.worlds(codes, count, player).draw(random, out);
            // A second look at the rarer of two cards.
            return out[0] < out[1] ? honest.worlds(codes, count, player).draw(random, out) : length;
          },
        }),
      })),
  ],
  ["traits", /^players is 1\.5, not a whole number/, () => createTiny({ players: 1.5 })],
  [
    "pure-functions",
    /^apply\(position, 0\) changes the position that it is given at .*check-game\.test\.ts:\d+:\d+: position\[0\] was 3 and is 2;/,
    () =>
      simpleGame({
        id: "changed",
        summary: "takes one away, in place",
        start: () => [3],
        toMove: () => 0,
        legalActions: () => [0],
        apply(position) {
          position[0]--;
          return position;
        },
        result: ([left]) => (left === 0 ? [1, -1] : undefined),
      }).create({}),
  ],
  ["traits", /^maxPlies is Infinity, not a whole number/, () => createTiny({ maxPlies: Infinity })],
  [
    "traits",
    /^maxActions is 0.*; minReturn = 1 is not less than maxReturn = 1/,
    () => createTiny({ maxActions: 0, minReturn: 1 }),
  ],
  ["traits", /^maxReturn is NaN, not a finite number/, () => createTiny({ maxReturn: Number.NaN })],
  [
    "traits",
    /^zeroSum is undefined, not true or false/,
    () => createTiny({ zeroSum: undefined as unknown as boolean }),
  ],
  [
    "traits",
    /^start returns the same state twice/,
    () => {
      const state = new TinyState();
      return createTiny({ start: () => state });
    },
  ],
  [
    "traits",
    /^an exception was thrown: Error: no start/,
    () =>
      createTiny({
        start() {
          throw new Error("no start");
        },
      }),
  ],
  [
    "to-move",
    /^toMove is 2 in a game with players = 2/,
    () =>
      withState(
        class extends TinyState {
          override apply(action: number): void {
            super.apply(action);
            if (this.count > 4 && this.toMove === 1) this.toMove = 2;
          }
        },
      ),
  ],
  [
    "legal-actions",
    /^legalActions returns 0; from 1 to maxActions = 3 is allowed/,
    () =>
      withState(
        class extends TinyState {
          override legalActions(out: Int32Array, at: number): number {
            return this.count === 2 ? 0 : super.legalActions(out, at);
          }
        },
      ),
  ],
  ["legal-actions", /^legalActions returns 3; from 1 to maxActions = 2/, () => createTiny({ maxActions: 2 })],
  [
    "legal-actions",
    /^legalActions writes 1 after 3: not ascending/,
    () =>
      withState(
        class extends TinyState {
          override legalActions(out: Int32Array, at: number): number {
            out.set([3, 1], at);
            return 2;
          }
        },
      ),
  ],
  [
    "legal-actions",
    /^legalActions writes 2 twice/,
    () =>
      withState(
        class extends TinyState {
          override legalActions(out: Int32Array, at: number): number {
            out.set([2, 2], at);
            return 2;
          }
        },
      ),
  ],
  [
    "legal-actions",
    /^legalActions writes 1\.5, which is no int32/,
    () =>
      withState(
        class extends TinyState {
          override legalActions(out: Int32Array, at: number): number {
            out[at] = 1.5;
            return 1;
          }
        },
      ),
  ],
  [
    "action-buffer",
    /^legalActions with at = 5 has 3 actions, and writes to index 8/,
    () =>
      withState(
        class extends TinyState {
          override legalActions(out: Int32Array, at: number): number {
            out[at + 3] = 4;
            return super.legalActions(out, at);
          }
        },
      ),
  ],
  [
    "action-buffer",
    /^legalActions with at = 5 writes \[-77\.5, .*; with at = 0 it wrote \[1, 2, 3\]/,
    () =>
      withState(
        class extends TinyState {
          override legalActions(out: Int32Array): number {
            return super.legalActions(out, 0);
          }
        },
      ),
  ],
  [
    "looking",
    /^a state changes by being looked at: toMove is -2, at the first look it was 0/,
    () =>
      createTiny({
        render(state) {
          state.toMove = TERMINAL;
          return "over";
        },
      }),
  ],
  [
    "undo",
    /^undo does not restore the position: after "\+1" and undo, toMove is -1, before it was 0/,
    () =>
      withState(
        class extends TinyState {
          override undo(): void {
            const { toMove } = this;
            super.undo();
            this.toMove = toMove;
          }
        },
      ),
  ],
  [
    "undo",
    /^undo does not restore the position: after "\+0" and undo, returns\(1\) is 0\.5, before it was 0/,
    () =>
      withState(
        class extends TinyState {
          bonus = 0;
          override undo(): void {
            super.undo();
            if (this.toMove === CHANCE) this.bonus = 0.5;
          }
          override returns(player: number): number {
            return super.returns(player) + player * this.bonus;
          }
        },
      ),
  ],
  [
    "take-back",
    /^after all \d+ actions are taken back, toMove is/,
    () =>
      withState(
        class extends TinyState {
          // The history reaches back two actions only.
          override apply(action: number): void {
            super.apply(action);
            this.history = this.history.slice(-6);
          }
          override undo(): void {
            if (this.history.length > 0) super.undo();
          }
        },
      ),
  ],
  [
    "copy",
    /^a copy is not the same position: toMove is 0, in the original it is/,
    () =>
      withState(
        class extends TinyState {
          override copyFrom(other: TinyState): void {
            const { toMove } = this;
            super.copyFrom(other);
            this.toMove = toMove;
          }
        },
      ),
  ],
  [
    "copy",
    /^a copy to a state that was used before is not the same position: returns\(0\)/,
    () =>
      withState(
        class extends TinyState {
          bonus = 0;
          override copyFrom(other: TinyState): void {
            if (this.count !== 0 && this.count !== other.count) this.bonus++;
            super.copyFrom(other);
          }
          override returns(player: number): number {
            return super.returns(player) + this.bonus;
          }
        },
      ),
  ],
  [
    "copy",
    /^when a copy plays "\+\d", the original changes|^a copy that plays "\+\d" and takes it back differs/,
    () => {
      // Copies share what they count with.
      class Sharing extends TinyState {
        shared = { plies: 0 };
        override apply(action: number): void {
          super.apply(action);
          this.shared.plies++;
        }
        override undo(): void {
          super.undo();
          this.shared.plies--;
        }
        override copyFrom(other: this): void {
          super.copyFrom(other);
          this.shared = other.shared;
        }
      }
      return createTiny({ render: (state) => `${(state as Sharing).shared.plies}` }, Sharing);
    },
  ],
  [
    "hash-replay",
    /^hashLow is 4294967296, which is no int32/,
    () =>
      withState(
        class extends TinyState {
          override get hashLow(): number {
            return 2 ** 32;
          }
        },
      ),
  ],
  [
    "hash-replay",
    /^the hash is \w+; after the same actions on a new state it is/,
    () => {
      let states = 0;
      return withState(
        class extends TinyState {
          number = states++;
          override get hashLow(): number {
            return this.number;
          }
        },
      );
    },
  ],
  [
    "hash-equal",
    /^the position "\d \d -?\d" has the hash \w+; reached in another way it had/,
    () =>
      withState(
        class extends TinyState {
          // The way to a position is hashed, not the position.
          override get hashHigh(): number {
            return this.history.reduce((sum, value) => (Math.imul(sum, 31) + value) | 0, 7);
          }
          override copyFrom(other: TinyState): void {
            super.copyFrom(other);
            this.history = [...other.history];
          }
        },
      ),
  ],
  [
    "hash-different",
    /^two positions have the hash \w+:\n +count \d\n +turn 0.*\nand\n +count \d\n +turn 1/,
    () =>
      withState(
        class extends TinyState {
          override get hashLow(): number {
            return this.count;
          }
          override get hashHigh(): number {
            return 0;
          }
        },
      ),
  ],
  [
    "returns",
    /^returns\(0\) is 2; from -1 to 1 is declared/,
    () =>
      withState(
        class extends TinyState {
          override returns(player: number): number {
            return 2 * super.returns(player);
          }
        },
      ),
  ],
  [
    "returns",
    /^returns\(0\) is NaN; from -1 to 1 is declared/,
    () =>
      withState(
        class extends TinyState {
          override returns(): number {
            return Number.NaN;
          }
        },
      ),
  ],
  [
    "returns",
    /^returns\(1\) is undefined; from -1 to 1/,
    () =>
      withState(
        class extends TinyState {
          override returns(player: number): number {
            return player === 0 ? 0 : (undefined as unknown as number);
          }
        },
      ),
  ],
  [
    "returns",
    /^the returns \[1, -1\] differ within a team; teams is \[0, 0\]/,
    () => createTiny({ teams: [0, 0] }),
  ],
  [
    "members",
    /^the state that `start` returns: chanceOutcomes: missing; must be a function$/,
    () =>
      withState(
        class extends TinyState {
          constructor() {
            super();
            Object.assign(this, { chanceOutcomes: undefined });
          }
        },
      ),
  ],
  ["traits", /^teams has 1 members, not one for each of 2 players/, () => createTiny({ teams: [0] })],
  [
    "returns",
    /^the returns \[.*\] sum to 1, and zeroSum is true/,
    () =>
      withState(
        class extends TinyState {
          override returns(player: number): number {
            return Math.max(0, super.returns(player));
          }
        },
      ),
  ],
  [
    "returns",
    /^returns\(0\) is 0\.5 before the end, and rewardsAlongTheWay is false/,
    () =>
      withState(
        class extends TinyState {
          override returns(player: number): number {
            return player === 0 ? 0.5 : -0.5;
          }
        },
      ),
  ],
  ["chance", /^toMove is CHANCE in a game that declares chance: false/, () => createTiny({ chance: false })],
  [
    "chance",
    /^the probabilities of the 2 outcomes sum to 0\.95/,
    () =>
      withState(
        class extends TinyState {
          override chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
            super.chanceOutcomes(out, probabilities, at);
            probabilities[at] = 0.2;
            return 2;
          }
        },
      ),
  ],
  [
    "chance",
    /^the outcome "\+1" has the probability 0/,
    () =>
      withState(
        class extends TinyState {
          override chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
            super.chanceOutcomes(out, probabilities, at);
            probabilities.set([1, 0], at);
            return 2;
          }
        },
      ),
  ],
  [
    "chance",
    /^the outcome "\+0" has the probability NaN/,
    () =>
      withState(
        class extends TinyState {
          override chanceOutcomes(out: Int32Array, _: Float64Array, at: number): number {
            return super.chanceOutcomes(out, new Float64Array(at + 2), at);
          }
        },
      ),
  ],
  ["end", /^a random game has had 3 decisions by players; maxPlies is 2/, () => createTiny({ maxPlies: 2 })],
  ["end", /^a random game has had 10 decisions by players; maxPlies is 9/, () => createEndless(9)],
  [
    "end",
    /^a random game is not over after 100000 actions and chance outcomes: is it endless/,
    () => createEndless(1e12),
  ],
  [
    "action-notation",
    /^formatAction writes both action 1 and action 3 as "odd"/,
    () => createTiny({ formatAction: (action) => (action % 2 === 1 ? "odd" : "even") }),
  ],
  [
    "action-notation",
    /^formatAction writes action 1 as "\+1", and parseAction reads it as 2/,
    () => createTiny({ parseAction: (text) => Number(text) + 1 }),
  ],
  [
    "action-notation",
    /^formatAction writes action 1 as "1\\n"/,
    () => createTiny({ formatAction: (action) => `${action}\n` }),
  ],
  [
    "action-refusal",
    /^parseAction\("no such action"\) returns NaN/,
    () => createTiny({ parseAction: (text) => Number(text) }),
  ],
  [
    "action-refusal",
    /^parseAction\("no such action"\) throws TypeError: no action/,
    () =>
      createTiny({
        parseAction() {
          throw new TypeError("no action");
        },
      }),
  ],
  [
    "state-notation",
    /^parseState\("0 0 0"\) gives another position: toMove is 1, in the original it is 0/,
    () =>
      createTiny({
        parseState() {
          const state = new TinyState();
          state.toMove = 1;
          return state;
        },
      }),
  ],
  [
    "state-notation",
    /^formatState gives "0\\n0"/,
    () => createTiny({ formatState: (state) => `${state.count}\n${state.turn}` }),
  ],
  [
    "state-refusal",
    /^parseState\("no such position"\) returns/,
    () => createTiny({ parseState: () => new TinyState() }),
  ],
  [
    "state-refusal",
    /^parseState\("no such position"\) throws Error: what\?/,
    () =>
      createTiny({
        parseState() {
          throw new Error("what?");
        },
      }),
  ],
  [
    "heuristics",
    /^the heuristic "bad" gives player 0 1; allowed is more than -1 and less than 1/,
    () => withHeuristic((_, player) => (player === 0 ? 1 : -1)),
  ],
  ["heuristics", /^the heuristic "bad" gives player 0 NaN/, () => withHeuristic(() => Number.NaN)],
  [
    "heuristics",
    /^the heuristic "bad" gives player 0 0\.5 and player 1 0\.5, which do not sum to 0/,
    () => withHeuristic(() => 0.5),
  ],
  [
    "features",
    /^feature set "count": "count 0" is 1 for player 0 and 1 for player 1: they do not negate/,
    () =>
      withFeatures({
        extract(state, _, index, value) {
          index[0] = (state as TinyState).count;
          value[0] = 1;
          return 1;
        },
      }),
  ],
  [
    "features",
    /^feature set "count": weigh returns 1 for player 0; by the pairs of extract it is -?0\.\d+/,
    () => withFeatures({ weigh: () => 1 }),
  ],
  [
    "features",
    /^feature set "count": extract writes the index \d; size is 2/,
    () => withFeatures({ size: 2 }),
  ],
  [
    "members",
    /^featureSets.count.maxActive: must be at least 1, got 0$/,
    () => withFeatures({ maxActive: 0 }),
  ],
  [
    "features",
    /^feature set "count": feature 0 has the value NaN/,
    () =>
      withFeatures({
        extract(_, __, index) {
          index[0] = 0;
          return 1;
        },
      }),
  ],
  [
    "features",
    /^feature set "count": unit is declared, and extract writes to the values/,
    () =>
      withFeatures({
        unit: true,
        extract(_, __, index, value) {
          index[0] = 0;
          value[0] = 0.5;
          return 1;
        },
      }),
  ],
  [
    "feature-names",
    /^feature set "count": describe\(0\) and describe\(1\) are both "feature"/,
    () => withFeatures({ describe: () => "feature" }),
  ],
  ["outcomes", /^the outcomes \[1, -1\] are not ascending/, () => createTiny({ outcomes: [1, -1] })],
  ["outcomes", /^the outcomes \[0, 1\] lack -1/, () => createTiny({ outcomes: [0, 1] })],
  [
    "outcomes",
    /^the game ends with returns\(0\) = -?1; the outcomes are \[-0\.5, 0\.5\]/,
    () => createTiny({ outcomes: [-0.5, 0.5] }),
  ],
  ["picture", /^the picture is 0 wide/, () => createTiny({ picture: { ...picture, width: 0 } })],
  [
    "picture",
    /^touches of \+[123] has the place \d+; there is none/,
    () => createTiny({ picture: { ...picture, places: [] } }),
  ],
  [
    "picture",
    /^a shape has no finite numbers/,
    () => createTiny({ picture: { ...picture, draw: () => [{ kind: "circle", x: NaN, y: 0, r: 1 }] } }),
  ],
  [
    "picture",
    /^after it was drawn, /,
    () =>
      createTiny({
        picture: {
          ...picture,
          draw(state) {
            state.count++;
            return [];
          },
        },
      }),
  ],
  ["tactics", /^noisyActions writes -1, which is not legal/, () => withTactics({ noisy: -1 })],
  ["tactics", /^isForced is true, and noisyActions writes nothing/, () => withTactics({ isForced: true })],
  ["tactics", /^gain of \S+ is 0.5; it must be a whole number/, () => withTactics({ gain: 0.5 })],
  ["tactics", /^\S+ gains 3, and noisyActions does not write it/, () => withTactics({ gain: 3 })],
  ["solving", /^foresee is 0, and candidates writes nothing/, () => withForesight({ candidates: [] })],
  ["solving", /^candidates writes an action twice: \[1, 1\]/, () => withForesight({ candidates: [1, 1] })],
  ["solving", /^foresee tells of a win in 1 ply, and no action wins/, () => withForesight({ plies: 1 })],
  [
    "solving",
    /^finish.value is 2; a return is from -1 to 1/,
    () => createTiny({ solving: { finish: { isNear: () => true, value: () => 2, nodes: 1 } } }),
  ],
  ["tactics", /^after pass.apply the same player is to move/, () => withTactics({ passes: true })],
  [
    "decisive-moves",
    /^keep leaves \[\] of the legal actions/,
    () => createTiny({ decisiveMoves: { keep: () => 0 } }),
  ],
  [
    "decisive-moves",
    /^keep leaves out \S+, which does not lose at once/,
    () => createTiny({ decisiveMoves: { keep: () => 1 } }),
  ],
  [
    "deeds",
    /^the kind of action \d is 1; there are 1 kinds$/,
    () => createTiny({ deeds: { kinds: ["adding"], kindOf: () => 1 } }),
  ],
  ["phase", /^the phase is \d+; its max is 1/, () => createTiny({ phase: { ...phase, max: 1 } })],
  ["policy-head", /^an action has the number 1; size is 1/, () => withHead({ size: 1, index: () => 1 })],
  [
    "policy-head",
    /^of the legal actions two have one number: 0,0/,
    () => withHead({ size: 1, index: () => 0 }),
  ],
  [
    "policy-head",
    /^an image must have each number from 0 to 0 once/,
    () => withHead({ size: 1, index: () => 0, images: [Int32Array.of(1)] }),
  ],
  ["tuple-board", /^read writes 1 for cell 0; digits is 1/, () => withBoard({ digits: 1 })],
  [
    "tuple-board",
    /^the identity is not among the symmetries/,
    () => withBoard({ symmetries: [[8, 7, 6, 5, 4, 3, 2, 1, 0]] }),
  ],
  [
    "tuple-board",
    /^the symmetry \[0, 0, .*\] is no permutation of the 9 cells/,
    () => withBoard({ symmetries: [[0, 0, 2, 3, 4, 5, 6, 7, 8]] }),
  ],
  [
    "tuple-board",
    /^groups\.read writes 1 for cell \d, where read writes 0/,
    () =>
      withBoard({ groups: { cells: EACH, keys: () => {}, read: (group, _, out) => void (out[group] = 1) } }),
  ],
  [
    "tuple-board",
    /^the groups have the cells \[0, 1\]; each of the 9 cells is in one group/,
    () => withBoard({ groups: { cells: [[0, 1]], keys: () => {}, read: () => {} } }),
  ],
  [
    "policies",
    /^the policy "bad" promises 256 for \d; allowed: 0 to 255/,
    () =>
      withPolicy(
        () => 1,
        (...[, , at, end, out]) => out.fill(256, at, end),
      ),
  ],
  ["policies", /^the policy "bad" chooses 7, which is not legal/, () => withPolicy(() => 7)],
  [
    "policies",
    /^the policy "bad" changes the state: toMove is -1, before it was/,
    () =>
      withPolicy((state) => {
        state.apply(1);
        return 1;
      }),
  ],
  [
    "policies",
    /^the policy "bad" chooses "\+\d", and asked again with the same generator "\+\d"/,
    () => {
      let calls = 0;
      return withPolicy(() => 1 + (calls++ % 3));
    },
  ],
];

/** Each of nine cells is a group. */
const EACH = Array.from({ length: 9 }, (_, cell) => [cell]);

function withBoard(changed: Partial<TupleBoard<TinyState>>): Game {
  return createTiny({ tupleBoard: { ...board, ...changed } });
}

/** The count stays where it is. */
function createEndless(maxPlies: number): Game {
  return withState(
    class extends TinyState {
      override apply(action: number): void {
        super.apply(action);
        this.count = 0;
        if (this.toMove === TERMINAL) this.toMove = CHANCE;
      }
    },
    { maxPlies },
  );
}

test.each(everyFew(BROKEN, 19))("%s: %s", (check, found, create) => {
  const one = checkGame(create(), { only: [check] }).find((finding) => finding.check === check);
  expect(one?.found).toMatch(found);
  expect(one?.demand).not.toBe("");
  // The checks together find it as well, and end.
  expect(checkGame(create()).map((finding) => finding.check)).toContain(check);
});

test("every check has a broken game", () => {
  expect([...new Set(BROKEN.map(([check]) => check))].toSorted()).toEqual(
    GAME_CHECKS.map(({ name }) => name).toSorted(),
  );
});

test("docs/checks.md lists every check of a game", () => {
  const page = readFileSync(new URL("../../../docs/checks.md", import.meta.url), "utf8");
  for (const { name } of GAME_CHECKS) expect(page).toContain(`| \`${name}\``);
});

describe("a game that throws", () => {
  class Throwing extends TinyState {
    override apply(action: number): void {
      if (this.count > 2) throw new RangeError(`cannot add ${action}`.replace(/\d/, "it"));
      super.apply(action);
    }
  }

  test("gives the message, the place in the user's code, the moves, and what else it stopped", () => {
    const findings = checkGame(withState(Throwing));
    expect(findings.length).toBeLessThanOrEqual(2);
    const [first] = findings;
    expect(first!.check).toBe("to-move");
    expect(first!.found).toBe("an exception was thrown: RangeError: cannot add it");
    expect(first!.thrownAt).toMatch(/^\/.*test\/games\/check\/check-game\.test\.ts:\d+:\d+$/);
    expect(first!.moves!.length).toBeGreaterThan(1);
    expect(first!.alsoStopped).toEqual(expect.arrayContaining(["legal-actions", "undo", "copy", "end"]));
  });

  test("is never more than a finding a check, also when each exception is another", () => {
    let calls = 0;
    const game = createTiny({
      render() {
        throw new Error(`call ${calls++}`);
      },
      formatState() {
        throw new Error(`call ${calls++}`);
      },
    });
    const names = checkGame(game).map(({ check }) => check);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toContain("undo");
  });

  test("may throw anything", () => {
    const game = createTiny({
      formatState() {
        // oxlint-disable-next-line no-throw-literal
        throw "a text";
      },
    });
    expect(checkGame(game)[0]).toMatchObject({ found: "an exception was thrown: a text" });
  });
});

test("a finding in words says what, where and what the contract demands", () => {
  const [first] = checkGame(createTiny({ formatAction: () => "a move" }), { only: ["action-notation"] });
  expect(formatFinding(first!)).toBe(
    'action-notation: formatAction writes both action 1 and action 2 as "a move" (moves so far: none)\n' +
      "  the contract: formatAction writes each action differently, on one line, and parseAction reads it back",
  );
  const moves = Array.from({ length: 30 }, (_, ply) => `m${ply}`);
  const thrown = {
    check: "undo",
    found: "oh",
    demand: "none",
    moves,
    thrownAt: "a.ts:1:2",
    alsoStopped: ["copy"],
  };
  expect(formatFinding(thrown)).toBe(
    `undo: oh (moves so far: 10 more, then ${moves.slice(10).join(" ")})\n` +
      "  thrown at a.ts:1:2\n  the same exception stopped: copy\n  the contract: none",
  );
});

test("options that make another game are found, where the family is given", () => {
  const family: GameFamily = {
    id: "tiny",
    summary: "",
    options: z.strictObject({ size: z.int().default(3) }),
    create: ({ size }) => createTiny({ options: { size: (size as number) + 1 } }),
  };
  const game = family.create({ size: 3 });
  expect(checkGame(game, { family }).map(({ check, found }) => `${check}: ${found}`)).toEqual([
    'options: the options {"size":4} make a game with the options {"size":5}',
  ]);
});

slowTest("the seed and the number of games say what is looked at", () => {
  const some = runGameChecks(createTiny(), { games: 3 });
  const more = runGameChecks(createTiny(), { games: 30 });
  expect(runGameChecks(createTiny(), { games: 3 })).toEqual(some);
  expect(more.games).toBeGreaterThan(8 * some.games);
  expect(runGameChecks(createTiny(), { games: 3, maxPositions: 6 }).positions).toBeLessThan(some.positions);
  expect(runGameChecks(createTiny(), { games: 3, seed: "other" }).positions).not.toBe(some.positions);
});

test("numbers that say how much to look at are checked", () => {
  for (const options of [{ games: 0 }, { games: 1.5 }, { maxPositions: Number.NaN }])
    expect(() => checkGame(createTiny(), options)).toThrow(/must be a whole number of at least 1, got/);
});
