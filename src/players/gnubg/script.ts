/** The start of each line that the script writes; all other lines are GNU Backgammon's own. */
export const MARK = "agon ";

/**
 * Python code that GNU Backgammon runs. `agon(id, large, small, count)` writes the best turns of the player on roll as JSON. The
 * whole position is set each time. A line of its own program may be cut off there, so that each answer begins a line.
 */
export const SCRIPT = `
import gnubg, json, os, sys
def agon_write(answer):
    sys.stdout.flush()
    os.write(1, ("\\n${MARK}" + json.dumps(answer) + "\\n").encode())
def agon_hint(id, large, small, count):
    for line in ("set turn 1", "set board " + id, "set dice %d %d" % (large, small)):
        gnubg.command(line)
    info = gnubg.posinfo()
    if gnubg.positionid() != id or sorted(info["dice"]) != [small, large] or info["turn"] != 1:
        raise ValueError("it has another position: " + gnubg.positionid() + " " + str(info))
    return [[one["move"], one["equity"]] for one in gnubg.hint(count)["hint"]]
def agon(*given):
    try:
        agon_write({"hints": agon_hint(*given)})
    except Exception as error:
        agon_write({"error": repr(error)})
agon_write({"ready": True})
`;

/** The commands that make its own program quiet, and its evaluations cubeless. */
export function setUp({ plies, gammons }: { plies: number; gammons: boolean }): readonly string[] {
  const evaluation = "set evaluation chequerplay evaluation";
  return [
    "set display off",
    "set output rawboard on",
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set jacoby off",
    "set cube use off",
    "set player 0 human",
    "set player 1 human",
    // In a match to one point gammons do not count.
    gammons ? "new session" : "new match 1",
    `${evaluation} plies ${plies}`,
    `${evaluation} cubeful off`,
    `${evaluation} noise 0`,
  ];
}
