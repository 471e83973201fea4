/** An agent's choice in a test position, actions in the game's notation. */
export interface PositionAnswer {
  readonly name: string;
  readonly position: string;
  readonly choice: string;
  readonly right: readonly string[];
  readonly isRight: boolean;
  readonly nodes: number;
  readonly timeMs: number;
  /** The points of the choice, and those of the best action; absent if the position has none. */
  readonly points?: number;
  readonly most?: number;
  /** The distance of the agent's value from the exact one, in the game's units; absent if one of them is not known. */
  readonly error?: number;
  /** The nodes and the time from which on the choice stayed right; absent if it is wrong. */
  readonly solution?: { readonly nodes: number; readonly timeMs: number } | undefined;
}

/** The share of test positions in which a choice is right. */
export interface RightShare {
  readonly positions: number;
  readonly right: number;
  /** The share right, and its 95% interval by Wilson (1927). */
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The result of an agent in the test positions of a file, or of all files. */
export interface PositionScore extends RightShare {
  readonly file: string;
  readonly agent: string;
  /** Means of a position. */
  readonly nodes: number;
  readonly timeMs: number;
  /** Means of the positions that are solved; null if none is. */
  readonly nodesToSolution: number | null;
  readonly timeToSolution: number | null;
  /** Sums of points, where each position has some above 0. */
  readonly points?: number;
  readonly most?: number;
  /** The mean of what the choice lacks to the best action, in the units of the points. */
  readonly loss?: number;
  /** The mean error of the agent's value, where each position has one, in the game's units. */
  readonly error?: number;
}

/** The score of an agent by its answers, at least one. */
export function scorePositions(
  file: string,
  agent: string,
  answers: readonly PositionAnswer[],
): PositionScore {
  const mean = (values: readonly number[]) => sum(values) / values.length;
  const right = answers.filter(({ isRight }) => isRight);
  const solutions = right.map(({ solution }) => solution!);
  const [low, high] = wilsonInterval(right.length, answers.length);
  const hasPoints = answers.every(({ points }) => points !== undefined);
  const points = answers.map((answer) => answer.points ?? 0);
  const most = answers.map((answer) => answer.most ?? 0);
  const errors = answers.flatMap(({ error }) => error ?? []);
  return {
    file,
    agent,
    positions: answers.length,
    right: right.length,
    share: right.length / answers.length,
    low,
    high,
    nodes: mean(answers.map(({ nodes }) => nodes)),
    timeMs: mean(answers.map(({ timeMs }) => timeMs)),
    nodesToSolution: right.length === 0 ? null : mean(solutions.map(({ nodes }) => nodes)),
    timeToSolution: right.length === 0 ? null : mean(solutions.map(({ timeMs }) => timeMs)),
    ...(errors.length === answers.length && { error: mean(errors) }),
    ...(hasPoints && { loss: mean(points.map((value, at) => most[at]! - value)) }),
    ...(hasPoints &&
      Math.min(...points) >= 0 &&
      Math.min(...most) > 0 && { points: sum(points), most: sum(most) }),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

const Z95 = 1.959964;

/** Wilson's 95% interval (1927) of a share: `hits` of `trials`. */
export function wilsonInterval(hits: number, trials: number): [low: number, high: number] {
  const share = hits / trials;
  const spread = (Z95 * Z95) / trials;
  const middle = share + spread / 2;
  const reach = Z95 * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials));
  return [Math.max(0, (middle - reach) / (1 + spread)), Math.min(1, (middle + reach) / (1 + spread))];
}
