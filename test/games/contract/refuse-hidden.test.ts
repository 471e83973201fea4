import { expect, test } from "vitest";
import { withSetups } from "../../../src/games/contract/setups.ts";
import { refuseHidden } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";

test("work that would show a player too much is refused by its name", () => {
  const kuhn = createGame("kuhn");
  expect(() => refuseHidden(createGame("nim"), "learned")).not.toThrow();
  expect(() => refuseHidden(kuhn, "analysed")).toThrow(
    "games of hidden information, such as kuhn, cannot be analysed yet",
  );
  expect(() => withSetups(kuhn, ["J Q"])).toThrow(/cannot begin at positions yet/);
});
