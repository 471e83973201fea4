import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { packOf, packOptions } from "../shared/cards.ts";
import { cardPicture, renderCards, cardNotation } from "../shared/card-picture.ts";
import { cardPrivacy } from "../shared/card-privacy.ts";
import { createSolver, doubleDummy, knowledge, strength } from "./judge.ts";
import { BridgeState, DUMMY, formatTricks, OWN_SEATS, TEAMS } from "./state.ts";

const options = packOptions
  .safeExtend({
    trumps: z
      .enum(["none", "C", "D", "H", "S"])
      .default("none")
      .describe("trumps: none, or a suit: clubs, diamonds, hearts or spades"),
  })
  .refine(({ suits, trumps }) => suits === 4 || trumps === "none" || trumps === "H" || trumps === "S", {
    path: ["trumps"],
    message: "must be none, H or S with two suits, which are hearts and spades",
  });

/**
 * The play of the cards at bridge, without bidding. Player 0 is declarer, in S, and plays the cards of dummy, in N, too. Players 1
 * and 2 defend, in W and E: a team, whose members know their own hands and talk through their plays alone. The cards are
 * dealt in their order: an outcome is the seat that receives the next card. W leads; then all see dummy. Players follow suit if they can.
 * The return of declarer is the tricks of its side less those of the defenders, that of each defender half the opposite.
 * Actions: cards.
 */
export const bridge = defineGame({
  id: "bridge",
  summary: "the play at bridge: declarer, who plays dummy's cards too, against two defenders",
  options,
  rules(given): Rules<BridgeState> {
    const pack = packOf(given);
    const trumps = pack.suitNamed(given.trumps);
    const start = () => new BridgeState(pack, trumps);
    return {
      maxActions: Math.max(4, pack.hand),
      start,
      ...cardNotation(pack, start),
      players: 3,
      teams: TEAMS,
      chance: true,
      dealt: true,
      hiddenInformation: true,
      minReturn: -pack.hand,
      maxReturn: pack.hand,
      maxPlies: pack.size,
      render: (state) => `${renderCards(state)}\n${formatTricks(state)}`,
    };
  },
  facets(given): Facets<BridgeState> {
    const pack = packOf(given);
    const trumps = pack.suitNamed(given.trumps);
    return {
      featureSets: { knowledge: knowledge(pack) },
      heuristics: { strength: strength(pack, trumps), "double-dummy": doubleDummy(pack, trumps) },
      solver: () => createSolver(pack, trumps),
      privacy: cardPrivacy(pack, { seats: OWN_SEATS, dummy: DUMMY, formatScore: formatTricks }),
      picture: cardPicture(pack, {
        seats: OWN_SEATS,
        dummy: DUMMY,
        formatScore: formatTricks,
      }),
    };
  },
});
