import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Played } from "../../../agents/agent.ts";
import { Select } from "../parts.tsx";
import type { GameInfo } from "./messages.ts";
import type { Thread } from "./thread.ts";

/** Takes a game out of the page, as a file or a link, and a position into it. */
export function Saving({
  rules,
  info: { formats },
  played,
  names,
  notation,
  fileName,
  link,
  onSetUp,
}: {
  rules: Thread;
  info: GameInfo;
  played: Played;
  /** The names of those who play, by seat. */
  names: readonly string[];
  /** The shown position in the game's notation. */
  notation: string;
  /** The name of a saved file, without its ending. */
  fileName: string;
  /** The address of the game. */
  link: string;
  onSetUp: (from: string) => void;
}): JSX.Element {
  const [format, setFormat] = useState(formats[0]!.ending);
  const [from, setFrom] = useState<string>();
  const [problem, setProblem] = useState("");
  const save = async () => {
    const { text } = await rules.ask("file", { format, played, names });
    download(`${fileName}.${format}`, text);
  };
  const setUp = async () => {
    await rules.ask("position", { played: { from: from ?? notation, actions: [] } });
    onSetUp(from ?? notation);
    setFrom(undefined);
  };
  const attempt = (act: () => Promise<void>) => {
    setProblem("");
    act().catch((error: Error) => setProblem(error.message));
  };
  return (
    <section class="saving" aria-label="Save and set up">
      <div class="controls">
        <button type="button" onClick={() => attempt(save)}>
          save
        </button>
        <Select
          name="as"
          value={format}
          options={formats.map(({ ending, summary }) => ({ value: ending, text: `${ending}: ${summary}` }))}
          onChange={setFormat}
        />
        <a href={link}>link to this game</a>
      </div>
      <form
        class="controls"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(setUp);
        }}
      >
        <label class="position">
          <span>position</span>
          <input
            type="text"
            spellcheck={false}
            value={from ?? notation}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        </label>
        <button type="submit">set up</button>
      </form>
      {problem !== "" && (
        <p role="alert" class="notices">
          {problem}
        </p>
      )}
    </section>
  );
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
