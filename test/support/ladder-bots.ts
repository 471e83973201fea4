/** The text of a program that plays the first or the last legal action, or an illegal one. */
export const botText = (choice: "first" | "last" | "illegal"): string => `
import { createInterface } from "node:readline";
for await (const line of createInterface(process.stdin)) {
  const { type, legal } = JSON.parse(line);
  const action = { first: legal?.[0], last: legal?.at(-1), illegal: "none" }["${choice}"];
  if (type === "hello") console.log(JSON.stringify({ type, protocol: 1, name: "bot", wants: "texts" }));
  if (type === "decide") console.log(JSON.stringify({ type: "decision", action }));
}
`;
