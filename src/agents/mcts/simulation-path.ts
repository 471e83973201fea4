/** The actions of one simulation beyond the tree and their players, without chance events. */
export class Trail {
  actions = new Int32Array(1024);
  players = new Int32Array(1024);
  length = 0;

  add(player: number, action: number): void {
    if (this.length === this.actions.length) this.grow();
    this.actions[this.length] = action;
    this.players[this.length++] = player;
  }

  private grow(): void {
    const { actions, players } = this;
    this.actions = new Int32Array(2 * actions.length);
    this.actions.set(actions);
    this.players = new Int32Array(2 * players.length);
    this.players.set(players);
  }
}

/** The greatest length of a path through the tree; positions beyond it belong to the playout. */
const MAX_PATH = 4096;

/** One simulation: its path through the tree, the playout after it, and its rewards. */
export class Simulation {
  /** The nodes of the path below the root, and the player who chose each (or CHANCE). */
  readonly path = new Int32Array(MAX_PATH);
  readonly chooser = new Int32Array(MAX_PATH);
  pathLength = 0;
  readonly trail: Trail | null;
  /** By player, in 0..1. */
  readonly rewards: Float64Array;

  constructor(players: number, trail: Trail | null) {
    this.trail = trail;
    this.rewards = new Float64Array(players);
  }

  begin(): void {
    this.pathLength = 0;
    if (this.trail !== null) this.trail.length = 0;
  }

  /** Goes down to a child. */
  step(player: number, node: number): void {
    this.path[this.pathLength] = node;
    this.chooser[this.pathLength++] = player;
  }

  get canGoOn(): boolean {
    return this.pathLength < MAX_PATH;
  }
}

/** Learns from whole simulations for later ones. */
export interface Learner {
  /** Forgets everything. */
  clear(): void;
  learn(simulation: Simulation): void;
}

const KEY_BITS = 16;
/** The number of keys. */
export const KEYS = 2 ** KEY_BITS;

/** Returns a key below `KEYS` for an action of a player; few actions share one. */
export function keyOf(player: number, action: number): number {
  return Math.imul((action << 3) + player, 0x9e3779b1) >>> (32 - KEY_BITS);
}
