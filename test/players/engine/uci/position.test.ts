import { describe, expect, test } from "vitest";
import { parsePosition, PLAYED_ON } from "../../../../src/players/engine/uci/go.ts";
import { TERMINAL } from "../../../../src/games/contract/game.ts";
import { createGame } from "../../../../src/games/index.ts";

const games = { own: createGame("chess"), playedOn: createGame(PLAYED_ON) };
const parse = (text: string) => parsePosition(text, games);
const KNIGHTS = "g1f3 g8f6 f3g1 f6g8";

describe("position", () => {
  test("is the start, a FEN, or what moves lead to; play so far leads to it as well", () => {
    expect(parse("startpos").played).toEqual({ actions: [] });
    const { state, played } = parse("startpos moves e2e4 e7e5");
    expect(games.own.formatState(state)).toBe("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    expect(played.actions).toHaveLength(2);
    const fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 12 34";
    const later = parse(`fen ${fen} moves e1g1`);
    expect(later.played.from).toBe(`fen ${fen}`);
    const again = games.own.parseState(later.played.from!);
    for (const action of later.played.actions) again.apply(action);
    expect(games.own.formatState(again)).toBe("4k3/8/8/8/8/8/4P3/5RK1 b - - 13 34");
    expect([again.hashLow, again.hashHigh]).toEqual([later.state.hashLow, later.state.hashHigh]);
  });

  test("counts repetitions", () => {
    expect(games.own.formatState(parse(`startpos moves ${KNIGHTS}`).state)).toMatch(/ rc 2;$/);
  });

  test("goes on after a third occurrence, from a FEN without its past", () => {
    const over = parse(`startpos moves ${KNIGHTS} ${KNIGHTS}`);
    expect(over.state.toMove).toBe(0);
    expect(over.played).toEqual({
      from: "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 5",
      actions: [],
    });
    const on = parse(`startpos moves ${KNIGHTS} ${KNIGHTS} e2e4 e7e5`);
    expect(on.played.actions).toHaveLength(2);
    expect(on.state.toMove).toBe(0);
  });

  test("goes on after 50 quiet moves, and has nobody to decide for want of material", () => {
    const late = parse("fen 4k3/8/8/8/8/8/8/4K2R w K - 99 90 moves h1h2");
    expect(late.state.toMove).toBe(1);
    expect(late.played.from).toBe("fen 4k3/8/8/8/8/8/7R/4K3 b - - 0 90");
    const bare = parse("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2");
    expect([bare.state.toMove, bare.playedOn.toMove]).toEqual([TERMINAL, 1]);
    const mate = parse("fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1 moves d1d8");
    expect([mate.state.toMove, mate.playedOn.toMove]).toEqual([TERMINAL, TERMINAL]);
  });

  test.each([
    ["", 'position "" is neither startpos nor fen with a FEN'],
    ["e4 e5", 'position "e4 e5" is neither startpos nor fen with a FEN'],
    ["startpos moves e2e5", 'move 1, "e2e5", is not legal in startpos'],
    [
      "startpos moves e2e4 Nf6",
      'move 2, "Nf6", is not legal in fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq',
    ],
    ["fen 8/8 w - - 0 1", "must be 8 ranks"],
  ])('"%s" is refused', (text, message) => expect(() => parse(text)).toThrow(message));
});
