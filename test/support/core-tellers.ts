import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeInto } from "./agon.ts";

/** A bot that tells a file the cores that it may use, and then takes the first legal action. */
const TELLER = String.raw`
sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status >> "$(dirname "$0")/told"
while read -r line; do
  case $line in
    *'"hello"'*) echo '{"type":"hello","protocol":1,"name":"teller","wants":"texts"}' ;;
    *) echo "$line" | sed -n 's/.*"legal":\["\([^"]*\)".*/{"type":"decision","action":"\1"}/p' ;;
  esac
done`;

/** The config of bots that play each other, and the lists of cores that they have told of in play. */
export function coreTellers() {
  const dir = temporaryFolder();
  const command = ["/bin/sh", writeInto(dir, "teller.sh", TELLER)];
  const entrants = ["one", "two"].map((name) => ({ name, agent: "program", command }));
  const config = { name: "pinned", game: "tic-tac-toe", blocks: 1, affinity: true, entrants };
  // Each was tried before the run, too.
  const told = () => readFileSync(join(dir, "told"), "utf8").trim().split("\n").slice(entrants.length);
  return { config, told };
}
