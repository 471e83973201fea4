/** A game's seats as bits: seat 0 is bit 0. At most 6 seats fit the code of an outcome. */
export const MAX_SEATS = 6;
/**
 * The ranking of a game as one integer, three bits a seat: how many seats have a higher return.
 * Equal returns tie: [1, -1, 1] ranks as 0, 2, 0.
 */
export function rankCode(returns: readonly number[]): number {
  let code = 0;
  for (let seat = 0; seat < returns.length; seat++) {
    let ahead = 0;
    for (const other of returns) if (other > returns[seat]) ahead++;
    code |= ahead << (3 * seat);
  }
  return code;
}

export function rankOf(code: number, seat: number): number {
  return (code >>> (3 * seat)) & 7;
}

/** One step of a ranking from first place down: the seats not placed yet, and those of them that come next, tied. */
export interface RankingStep {
  readonly remaining: number;
  readonly chosen: number;
}

/** The steps of a ranking, first place first. A single remaining seat is left out. */
export function rankingSteps(code: number, seatCount: number): RankingStep[] {
  const stages: RankingStep[] = [];
  let remaining = (1 << seatCount) - 1;
  for (let rank = 0; popcount(remaining) > 1; rank++) {
    let chosen = 0;
    for (let seat = 0; seat < seatCount; seat++) if (rankOf(code, seat) === rank) chosen |= 1 << seat;
    if (chosen === 0) continue;
    stages.push({ remaining, chosen });
    remaining &= ~chosen;
  }
  return stages;
}

export function popcount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
