import { describe, expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { formatPicture, PAINTS } from "../../../src/games/contract/picture.ts";
import { sampleGames } from "../samples.ts";

const drawn = sampleGames.map((spec) => createGame(spec)).filter(({ picture }) => picture !== undefined);

describe.each(drawn)("the picture of $id", (game) => {
  const picture = game.picture!;

  test("is an SVG file of its own, whose colours have both themes", () => {
    const svg = formatPicture(picture, game.start(), { title: `<${game.id}> & "more"`, marked: [0] });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[-0-9. ]+" role="img"/);
    expect(svg).toContain(`<title>&lt;${game.id}&gt; &amp; &quot;more&quot;</title>`);
    expect(svg).not.toMatch(/NaN|undefined|https?:(?!\/\/www\.w3\.org\/2000\/svg")/);
    for (const [, paint] of svg.matchAll(/class="[fs]-(\w+)/g)) expect(Object.keys(PAINTS)).toContain(paint);
  });

  test("names its places, each differently, within its bounds", () => {
    const names = picture.places.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { x, y, w, h } of picture.places) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-9);
      expect(x + w).toBeLessThanOrEqual(picture.width + 1e-9);
      expect(y + h).toBeLessThanOrEqual(picture.height + 1e-9);
    }
  });
});
