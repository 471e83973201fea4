import { factorise, sandwich } from "./cholesky.ts";
import { addInformation, enterStage, type Design, priorPrecisions } from "./design.ts";
import type { Tally } from "../counts/tally.ts";

/**
 * Covariance of the fitted parameters with the block as the sampling unit (cluster-robust "sandwich",
 * Liang and Zeger 1986): H^-1 (sum over blocks of g g^T + S + P) H^-1, with g the score of a block, H the
 * information and P the prior's precision. P keeps the interval of an unbeaten entrant wide.
 *
 * The fit brings each entrant's scores to sum to zero, which hides 1/k of their variance when it played
 * k blocks; S puts that share back from the model: 1/k of the information of each game, with the
 * smallest k of its players. A single block, which says nothing about its own spread, so gets the
 * model's spread.
 */
export function covariance(design: Design, tally: Tally, parameters: Float64Array): Float64Array {
  const { parameterCount: size, stageCount, seatCount, entrants, remaining, games, choice } = design;
  const information = new Float64Array(size * size);
  const meat = new Float64Array(size * size);
  priorPrecisions(design).forEach((precision, at) => {
    information[at * size + at] = precision;
    meat[at * size + at] = precision;
  });
  const expected = new Float64Array(stageCount * choice.size);
  for (let stage = 0; stage < stageCount; stage++) {
    enterStage(design, stage, parameters);
    choice.expect(remaining[stage]);
    expected.set(choice.mean, stage * choice.size);
    addInformation(design, stage, games[stage], information);
    let fewest = Infinity;
    for (let seat = 0; seat < seatCount; seat++)
      fewest = Math.min(fewest, tally.blocksOf[entrants[stage * seatCount + seat]]);
    addInformation(design, stage, games[stage] / fewest, meat);
  }
  addBlockScores(design, tally, outcomeScores(design, expected), meat);
  factorise(information, size);
  sandwich(information, size, meat);
  return meat;
}

/** For each outcome its natural statistics less their expectation: [outcome * choice.size + statistic]. */
function outcomeScores(design: Design, expected: Float64Array): Float64Array {
  const { outcomeCount, stageStarts, stagesOf } = design;
  const { size } = design.choice;
  const scores = design.statistics.slice();
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    for (let at = stageStarts[outcome]; at < stageStarts[outcome + 1]; at++) {
      for (let i = 0; i < size; i++) scores[outcome * size + i] -= expected[stagesOf[at] * size + i];
    }
  }
  return scores;
}

/** Adds g g^T of every block to `meat`. */
function addBlockScores(
  design: Design,
  { blocks, seats }: Tally,
  scores: Float64Array,
  meat: Float64Array,
): void {
  const { parameterCount, entrantCount, seatCount } = design;
  const { size } = design.choice;
  const score = new Float64Array(parameterCount);
  // Parameters that the block at hand touches: those of seats and ties always, entrants as they come.
  const touched = Int32Array.from({ length: parameterCount }, (_, at) => entrantCount + at);
  for (let block = 0; block < blocks.count; block++) {
    let count = size;
    for (let game = blocks.starts[block]; game < blocks.starts[block + 1]; game++) {
      const outcome = blocks.outcomes[game];
      for (let i = 0; i < size; i++) {
        const value = scores[outcome * size + i];
        score[entrantCount + i] += value;
        if (i >= seatCount) continue;
        const entrant = seats[outcome * seatCount + i];
        score[entrant] += value;
        let known = size;
        while (known < count && touched[known] !== entrant) known++;
        if (known === count) touched[count++] = entrant;
      }
    }
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < count; column++) {
        meat[touched[row] * parameterCount + touched[column]] += score[touched[row]] * score[touched[column]];
      }
    }
    for (let at = 0; at < count; at++) score[touched[at]] = 0;
  }
}
