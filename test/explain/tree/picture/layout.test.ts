import fc from "fast-check";
import { expect, test } from "vitest";
import { layOut, type LayoutNode } from "../../../../src/explain/tree/picture/items.ts";

const node: fc.Memo<LayoutNode> = fc.memo((levels) => {
  const size = fc.integer({ min: 1, max: 30 });
  const children = levels > 1 ? fc.array(node(levels - 1), { maxLength: 3 }) : fc.constant([]);
  return fc.record({ left: size, right: size, children });
});

const GAP = 5;

/** The nodes of each level from left to right. */
function levelsOf(root: LayoutNode): LayoutNode[][] {
  const levels = [[root]];
  for (let next = root.children; next.length > 0; next = next.flatMap(({ children }) => children))
    levels.push([...next]);
  return levels;
}

test("no two nodes of a level touch, parents are in the middle, nothing is outside", () => {
  fc.assert(
    fc.property(node(5), (root) => {
      const { x, width } = layOut(root, GAP);
      for (const level of levelsOf(root)) {
        for (const [at, one] of level.entries()) {
          const middle = x.get(one)!;
          expect(middle - one.left).toBeGreaterThanOrEqual(-1e-9);
          expect(middle + one.right).toBeLessThanOrEqual(width + 1e-9);
          const next = level[at + 1];
          if (next !== undefined)
            expect(x.get(next)! - next.left - middle - one.right).toBeGreaterThanOrEqual(GAP - 1e-9);
          const [first] = one.children;
          if (first !== undefined)
            expect((x.get(first)! + x.get(one.children.at(-1)!)!) / 2).toBeCloseTo(middle);
        }
      }
    }),
    { seed: 1 },
  );
});

test("a subtree is drawn alike wherever it is, and as close to the next as their outlines allow", () => {
  const leaf = (size = 10): LayoutNode => ({ left: size, right: size, children: [] });
  const fan = (): LayoutNode => ({ left: 5, right: 5, children: [leaf(), leaf(), leaf()] });
  const [one, other] = [fan(), fan()];
  const root: LayoutNode = { left: 5, right: 5, children: [one, leaf(), other] };
  const { x, width } = layOut(root, GAP);
  const shape = (of: LayoutNode) => of.children.map((child) => x.get(child)! - x.get(of)!);
  expect(shape(one)).toEqual([-25, 0, 25]);
  expect(shape(other)).toEqual(shape(one));
  // The leaf between the fans stands above their leaves, and takes no room from them.
  expect(width).toBe(6 * 20 + 5 * GAP);
});
