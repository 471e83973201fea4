/** The action of a move: from << 9 | to << 3 | promotion (KNIGHT to QUEEN, 0 for none). */
export function encodeMove(from: number, to: number, promotion = 0): number {
  return (from << 9) | (to << 3) | promotion;
}

export function moveFrom(action: number): number {
  return action >>> 9;
}

export function moveTo(action: number): number {
  return (action >>> 3) & 63;
}

export function movePromotion(action: number): number {
  return action & 7;
}
