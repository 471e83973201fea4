import { TERMINAL, type Game, type State } from "../../src/games/game.ts";

const ACTIONS = 3;

/**
 * Two players in turn take one of three actions, for as many plies as there are tables; who moves
 * collects tables[ply][3 x action before + action], and the other loses it. What was collected is no
 * part of the hash, since the future does not depend on it.
 */
class CollectingState implements State {
  private readonly tables: readonly (readonly number[])[];
  private path: number[] = [];

  constructor(tables: readonly (readonly number[])[]) {
    this.tables = tables;
  }

  get toMove(): number {
    return this.path.length === this.tables.length ? TERMINAL : this.path.length % 2;
  }

  get hashLow(): number {
    return ACTIONS * this.path.length + (this.path.at(-1) ?? 0);
  }

  get hashHigh(): number {
    return this.hashLow + 1;
  }

  legalActions(out: Int32Array, at: number): number {
    for (let action = 0; action < ACTIONS; action++) out[at + action] = action;
    return ACTIONS;
  }

  chanceOutcomes(): number {
    return 0;
  }

  apply(action: number): void {
    this.path.push(action);
  }

  undo(): void {
    this.path.pop();
  }

  returns(player: number): number {
    return this.path.reduce((sum, action, ply) => {
      const gain = this.tables[ply]![ACTIONS * (this.path[ply - 1] ?? 0) + action]!;
      return sum + (ply % 2 === player ? gain : 0 - gain);
    }, 0);
  }

  copyFrom(other: this): void {
    this.path = [...other.path];
  }
}

/** A game with rewards along the way: nine numbers for each ply. */
export function collecting(base: Game, tables: readonly (readonly number[])[]): Game {
  const most = 1 + tables.flat().reduce((sum, gain) => sum + Math.abs(gain), 0);
  return {
    ...base,
    id: "collecting",
    rewardsAlongTheWay: true,
    minReturn: 0 - most,
    maxReturn: most,
    maxActions: ACTIONS,
    maxPlies: tables.length,
    start: () => new CollectingState(tables),
    heuristics: {},
    featureSets: {},
  };
}
