import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Panel } from "../parts.tsx";

/** The server's answer to an upload, or about one's own bot. */
interface Answer {
  readonly error?: string;
  readonly accepted?: boolean;
  readonly findings?: readonly string[];
  readonly remarks?: readonly string[];
  readonly now?: { readonly entrant?: string; readonly state: string; readonly reason: string } | null;
  readonly trial?: Answer | null;
  readonly forfeits?: readonly {
    readonly entrant: string;
    readonly ending: string;
    readonly detail: string;
  }[];
}

/** A form that sends a bot with its owner's token, and asks how it does. Only the owner is told what was found. */
export function SendBot(): JSX.Element {
  const [token, setToken] = useState("");
  const [file, setFile] = useState<File>();
  const [answer, setAnswer] = useState<Answer>();
  const [isBusy, setBusy] = useState(false);
  const ask = async (address: string, body?: File) => {
    setBusy(true);
    setAnswer(undefined);
    const headers = { Authorization: `Bearer ${token.trim()}` };
    try {
      const request = body === undefined ? { headers } : { method: "POST", headers, body };
      setAnswer((await (await fetch(address, request)).json()) as Answer);
    } catch {
      setAnswer({ error: "The server does not answer." });
    }
    setBusy(false);
  };
  return (
    <Panel
      title="Your bot"
      note="One file: a program that speaks agon's protocol. It is tried before it plays."
    >
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== undefined) void ask(`/api/bots?file=${encodeURIComponent(file.name)}`, file);
        }}
      >
        <label>
          <span>Your token</span>
          <input
            type="text"
            value={token}
            autoComplete="off"
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <label>
          <span>Your bot</span>
          <input type="file" onChange={(event) => setFile(event.currentTarget.files?.[0])} />
        </label>
        <button type="submit" disabled={isBusy || token.trim() === "" || file === undefined}>
          Send
        </button>
        <button type="button" disabled={isBusy || token.trim() === ""} onClick={() => void ask("/api/bots")}>
          How does it do?
        </button>
      </form>
      <div aria-live="polite">
        {isBusy && <p>Waiting for the answer…</p>}
        {answer !== undefined && <Answered answer={answer} />}
      </div>
    </Panel>
  );
}

function Answered({ answer }: { answer: Answer }): JSX.Element {
  const { error, accepted, findings = [], remarks = [], now, trial, forfeits = [] } = answer;
  if (error !== undefined) return <p class="notices">{error}</p>;
  const state = now === undefined ? undefined : describe(now);
  return (
    <>
      {accepted === true && <p>It was accepted. It plays as soon as the ladder has seen it.</p>}
      {accepted === false && <p class="notices">It was refused, and the bot before it stays.</p>}
      {state !== undefined && <p>{state}</p>}
      {findings.map((finding) => (
        <pre key={finding}>{finding}</pre>
      ))}
      {remarks.map((remark) => (
        <p key={remark}>Remark: {remark}.</p>
      ))}
      {trial !== undefined && trial !== null && (
        <>
          <h3>The last upload</h3>
          <Answered answer={trial} />
        </>
      )}
      {forfeits.length > 0 && (
        <>
          <h3>The last forfeits</h3>
          {forfeits.map(({ entrant, ending, detail }, at) => (
            <details key={at}>
              <summary>
                {entrant}: {ending}
              </summary>
              <pre>{detail.replaceAll(" | ", "\n")}</pre>
            </details>
          ))}
        </>
      )}
    </>
  );
}

function describe(now: NonNullable<Answer["now"]> | null): string {
  if (now === null) return "No bot of yours is in the ladder.";
  const { entrant = "It", state, reason } = now;
  return state === "plays" ? `${entrant} plays.` : `${entrant} is ${state}: ${reason}`;
}
