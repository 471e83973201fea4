import type { JSX } from "preact";
import { useContext } from "preact/hooks";
import { formatPercent } from "../../../base/text.ts";
import type { Report } from "../../../ratings/report.ts";
import { formatInterval, formatMean, formatSigned, whole } from "../../../ratings/sections/section.ts";
import { addressOf } from "../address.ts";
import type { LadderData, TournamentData } from "../data.ts";
import { ListedRunContext } from "../games.tsx";
import { Panel, Wide } from "../parts.tsx";
import { Hill } from "./hill.tsx";
import { SendBot } from "./send-bot.tsx";

type Ranked = Report["entrants"][number];

/** The figure that ranks the entrants, with its interval. */
interface Figure {
  readonly head: string;
  readonly value: (one: Ranked) => number;
  readonly text: (one: Ranked) => string;
  readonly interval: (one: Ranked) => string;
}

const ELO: Figure = {
  head: "Elo",
  value: ({ elo }) => elo,
  text: ({ elo }) => whole(elo),
  interval: formatInterval,
};

const RETURN: Figure = {
  head: "Return",
  value: ({ meanReturn }) => meanReturn,
  text: ({ meanReturn }) => formatMean(meanReturn),
  interval: ({ games, returnLow, returnHigh }) =>
    games < 2 ? "" : `${formatMean(returnLow)} to ${formatMean(returnHigh)}`,
};

const figureOf = ({ rankedBy }: Report) => (rankedBy === "elo" ? ELO : RETURN);

/** The name of the bot that an entrant is a version of: that before the `@`. */
const botOf = (entrant: string) => entrant.split("@")[0]!;

/** The ladder of a run, or one of its bots. */
export function Ladder({
  run,
  ladder,
  query,
}: {
  run: TournamentData;
  ladder: LadderData;
  query: URLSearchParams;
}): JSX.Element {
  const bot = query.get("bot");
  const takesBots = useContext(ListedRunContext)?.takesBots === true;
  if (bot !== null) return <Bot run={run} ladder={ladder} bot={bot} />;
  const playing = run.report.entrants.filter(({ name }) => ladder.playing.includes(name));
  const figure = figureOf(run.report);
  const climbers = playing
    .filter(({ games }) => games > 0)
    .map((one) => ({ name: one.name, value: figure.value(one), text: figure.text(one) }));
  return (
    <>
      <Panel title="The ladder" note={`${run.gameName}, ${run.report.games.toLocaleString("en")} games.`}>
        {ladder.waiting !== undefined && <p class="notices">{ladder.waiting}</p>}
        {climbers.length > 0 && <Hill of={climbers} />}
        <Table run={run} label="Those that play" rows={playing} isRanked={true} />
      </Panel>
      <Absent run={run} ladder={ladder} />
      {takesBots && <SendBot />}
    </>
  );
}

/** Entrants with their ratings. */
function Table({
  run,
  label,
  rows,
  isRanked = false,
}: {
  run: TournamentData;
  label: string;
  rows: readonly Ranked[];
  isRanked?: boolean;
}): JSX.Element {
  const figure = figureOf(run.report);
  return (
    <Wide label={label}>
      <table>
        <thead>
          <tr>
            {isRanked && <th scope="col">#</th>}
            <th scope="col">Bot</th>
            {[figure.head, "95%", "Games", "Score%", "Forfeits"].map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((one, at) => (
            <tr key={one.name}>
              {isRanked && <td class="number">{at + 1}</td>}
              <th scope="row">
                <a href={addressOf(run.folder, "ladder", { bot: botOf(one.name) })}>{one.name}</a>
              </th>
              <td class="number">{one.games === 0 ? "" : figure.text(one)}</td>
              <td class="number">{one.games === 0 ? "" : figure.interval(one)}</td>
              <td class="number">
                <a href={addressOf(run.folder, "games", { entrant: one.name })}>{one.games}</a>
              </td>
              <td class="number">{one.games === 0 ? "" : formatPercent(one.score)}</td>
              <td class="number">
                {one.forfeits > 0 && (
                  <a href={addressOf(run.folder, "games", { entrant: one.name, result: "forfeit" })}>
                    {one.forfeits}
                  </a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

/** The bots that do not play, with the reasons. */
function Absent({ run, ladder }: { run: TournamentData; ladder: LadderData }): JSX.Element | null {
  const absent = ladder.bots.filter(({ state }) => state !== "plays");
  if (absent.length === 0) return null;
  return (
    <Panel title="Not playing" note="A bot comes back when its file changes.">
      <ul>
        {absent.map(({ bot, entrant = bot, state, reason }) => (
          <li key={bot}>
            <a href={addressOf(run.folder, "ladder", { bot })}>{entrant}</a> is {state}: {reason}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** One bot: its versions, and the opponents that it does worst against. */
function Bot({ run, ladder, bot }: { run: TournamentData; ladder: LadderData; bot: string }): JSX.Element {
  const known = ladder.bots.find((one) => one.bot === bot);
  const versions = run.report.entrants.filter(({ name }) => botOf(name) === bot);
  const { entrant = versions[0]?.name, state = "not in the ladder now", reason = "" } = known ?? {};
  const isBuiltIn = known === undefined && ladder.playing.includes(bot);
  return (
    <>
      <p>
        <a href={addressOf(run.folder, "ladder")}>The ladder</a>
      </p>
      <Panel title={bot}>
        <p>
          {isBuiltIn || state === "plays" ? "It plays" : `It is ${state}`}
          {reason === "" ? "." : `: ${reason}`}
        </p>
        {versions.length > 0 && <Table run={run} label={`Versions of ${bot}`} rows={versions} />}
      </Panel>
      {entrant !== undefined && <Opponents run={run} entrant={entrant} />}
    </>
  );
}

/** The results of an entrant against each other one, those first that are worst for their ratings. */
function Opponents({ run, entrant }: { run: TournamentData; entrant: string }): JSX.Element | null {
  const { entrants, crossTable } = run.report;
  const own = entrants.findIndex(({ name }) => name === entrant);
  if (own < 0) return null;
  const rows = entrants
    .flatMap((other, at) => {
      const met = crossTable[own]?.[at];
      if (met === undefined || met === null || at === own) return [];
      const expected = 1 / (1 + 10 ** ((other.elo - entrants[own]!.elo) / 400));
      return [{ ...met, expected, name: other.name }];
    })
    .toSorted((one, other) => one.score - one.expected - (other.score - other.expected));
  if (rows.length === 0) return null;
  const isAlone = run.report.players === 1;
  return (
    <Panel
      title={isAlone ? "The others" : "Opponents"}
      note={
        `The results of ${entrant}, those first that are the worst for the ratings of both.` +
        (isAlone ? " Games with the same beginning and the same chance are compared." : "")
      }
    >
      <Wide label="Opponents">
        <table>
          <thead>
            <tr>
              <th scope="col">Against</th>
              {["Games", "Score%", "Expected%", "Worse by"].map((head) => (
                <th key={head} scope="col" class="number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, games, score, expected }) => (
              <tr key={name}>
                <th scope="row">
                  {isAlone ? (
                    name
                  ) : (
                    <a href={addressOf(run.folder, "games", { entrant, opponent: name })}>{name}</a>
                  )}
                </th>
                <td class="number">{games}</td>
                <td class="number">{formatPercent(score)}</td>
                <td class="number">{formatPercent(expected)}</td>
                <td class="number">{formatSigned(100 * (expected - score))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </Panel>
  );
}
