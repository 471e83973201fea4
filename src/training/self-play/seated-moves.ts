import type { SearchedTree } from "../../agents/alpha-beta/searched-tree.ts";
import type { SearchReport } from "../../agents/search-report.ts";
import type { State } from "../../games/contract/game.ts";
import type { Explorer } from "./explorer.ts";
import type { Moves } from "./self-play.ts";

const NO_TREE: SearchedTree = new Int32Array();

/** The moves of self-play in which an opponent may have a seat: it moves there, and the weights that learn move elsewhere. */
export class SeatedMoves implements Moves {
  /** The opponent and its seat; set for each game. */
  opponent: { readonly seat: number; readonly moves: Moves } | undefined = undefined;
  explored = false;
  holds = false;
  line: readonly number[] = [];
  readonly exploration: Explorer;
  private readonly own: Moves & { readonly exploration: Explorer };

  /** The player of the last move. */
  private mover: Moves;

  constructor(own: Moves & { readonly exploration: Explorer }) {
    this.own = own;
    this.mover = own;
    this.exploration = own.exploration;
  }

  get leaf(): State | undefined {
    return this.own.leaf;
  }

  get tree(): SearchedTree | SearchReport | undefined {
    return this.own.tree && (this.mover === this.own ? this.own.tree : NO_TREE);
  }

  begin(): void {
    this.own.begin();
    this.opponent?.moves.begin();
  }

  next(state: State): number {
    const { own, opponent } = this;
    const mover = state.toMove === opponent?.seat ? opponent.moves : own;
    this.mover = mover;
    const action = mover.next(state);
    this.explored = mover.explored;
    this.holds = mover === own && own.holds;
    this.line = mover.line;
    return action;
  }
}
