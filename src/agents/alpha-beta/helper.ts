import type { Random } from "../../base/random.ts";
import type { State } from "../../game/game.ts";
import type { AgentParts, Turn } from "../agent.ts";
import type { Helper, HelperPlace } from "../helpers/helpers.ts";
import { AlphaBeta } from "./alpha-beta.ts";
import type { AlphaBetaOptions } from "./options.ts";
import { SharedTable } from "./shared-table.ts";

/**
 * A helper of Lazy SMP. So that it is not busy where the others are, it tries actions of which nothing is known in an
 * order of its own, and every other helper searches a ply deeper.
 */
export class AlphaBetaHelper extends AlphaBeta implements Helper {
  private readonly ahead: number;
  private deepest = Infinity;
  private random: Random | undefined;

  constructor(parts: AgentParts<AlphaBetaOptions>, { number, memory }: HelperPlace) {
    super(parts, SharedTable.follow(memory!));
    this.ahead = parts.options.solve ? 0 : number % 2;
  }

  /** The number of positions that it visited. */
  help(root: State, turn: Turn): number {
    this.random = turn.random;
    this.deepest = turn.budget.depth ?? Infinity;
    return this.choose(root, turn).nodes;
  }

  protected override search(depth: number, actions: Int32Array): number {
    const further = Math.min(depth + this.ahead, this.deepest, this.levels - 1);
    return super.search(Math.max(depth, further), actions);
  }

  protected override list(at: number): number {
    const count = super.list(at);
    this.random!.shuffle(this.stack, at, count);
    return count;
  }
}
