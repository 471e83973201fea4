/*
 * The first version of the schema: the tables and views in PostgreSQL. A published version never changes; a later change
 * is a version of its own (schema.ts).
 */

const TABLES = `
create table runs (
  run integer generated always as identity primary key,
  id text not null unique check (id ~ '^[0-9a-f]{24}$'),
  name text not null,
  folder text not null,
  game text not null,
  options jsonb not null,
  version integer not null,
  rules text not null,
  players integer not null check (players >= 1),
  seed text not null,
  blocks integer not null check (blocks >= 0),
  is_training boolean not null,
  plan jsonb not null,
  rated_games integer not null default 0 check (rated_games >= 0),
  first_seat_elo double precision,
  first_seat_low double precision,
  first_seat_high double precision,
  ranked_by text check (ranked_by in ('elo', 'return')),
  warnings text[] not null default '{}',
  exported_at timestamptz not null default now()
);
create index runs_rules on runs (rules);

create table entrants (
  run integer not null references runs on delete cascade,
  entrant integer not null check (entrant >= 0),
  name text not null,
  agent text not null,
  spec jsonb not null,
  code text,
  weights text,
  make text not null,
  primary key (run, entrant)
);
create index entrants_make on entrants (make);

create table games (
  run integer not null references runs on delete cascade,
  number integer not null check (number >= 1),
  id text not null,
  block text not null,
  line_up text not null,
  opening_length integer not null check (opening_length >= 0),
  actions integer[] not null,
  ending text not null check (ending in
    ('finished', 'illegal action', 'exception', 'time-out', 'out of memory', 'worker died')),
  forfeit_seat integer check (forfeit_seat >= 0),
  detail text not null,
  thoughts text not null,
  primary key (run, number),
  unique (id, run)
);
create index games_forfeit on games (run, number) where forfeit_seat is not null;

create table seats (
  run integer not null,
  number integer not null,
  seat integer not null check (seat >= 0),
  entrant integer not null,
  return double precision not null,
  decisions integer not null check (decisions >= 0),
  nodes double precision not null check (nodes >= 0),
  time_ms double precision not null,
  primary key (run, number, seat),
  foreign key (run, number) references games on delete cascade,
  foreign key (run, entrant) references entrants on delete cascade
);
create index seats_entrant on seats (run, entrant);

create table ratings (
  run integer not null,
  entrant integer not null,
  rank integer not null check (rank >= 1),
  elo double precision not null,
  low double precision not null,
  high double precision not null,
  games integer not null check (games >= 0),
  wins integer not null check (wins >= 0),
  draws integer not null check (draws >= 0),
  losses integer not null check (losses >= 0),
  score double precision not null check (score between 0 and 1),
  draw_rate double precision not null check (draw_rate between 0 and 1),
  mean_return double precision not null,
  return_low double precision not null,
  return_high double precision not null,
  nodes_per_move double precision not null,
  ms_per_move double precision not null,
  forfeits integer not null check (forfeits >= 0),
  primary key (run, entrant),
  foreign key (run, entrant) references entrants on delete cascade,
  check (low <= elo and elo <= high)
);
`;

/** True for the first run that contains this game. */
const IS_FIRST = `not exists (
  select from games as twin where twin.id = games.id and twin.run < games.run and twin.line_up = games.line_up
)`;

const VIEWS = `
create view results as
select placed.run, placed.number, placed.seat, runs.rules, runs.game, runs.options, runs.players,
  entrants.entrant, entrants.make, entrants.name, placed.return,
  case when runs.players = 1 then null when ahead > 0 then 'lost' when level > 0 then 'drawn' else 'won' end as outcome,
  (runs.players - 1 - ahead - level / 2.0) / nullif(runs.players - 1, 0) as score,
  games.forfeit_seat is not distinct from placed.seat as forfeited,
  placed.decisions, placed.nodes, placed.time_ms
from (
    select *, rank() over (partition by run, number order by return desc) - 1 as ahead,
      count(*) over (partition by run, number, return) - 1 as level
    from seats
  ) as placed
  join runs on runs.run = placed.run
  join entrants on entrants.run = placed.run and entrants.entrant = placed.entrant
  join games on games.run = placed.run and games.number = placed.number
where ${IS_FIRST};

create view standings as
select rules, game, options, players, make, (array_agg(name order by run desc))[1] as name,
  count(distinct run) as runs, count(*) as games,
  count(*) filter (where outcome = 'won') as won,
  count(*) filter (where outcome = 'drawn') as drawn,
  count(*) filter (where outcome = 'lost') as lost,
  avg(score)::double precision as score,
  avg(return) as mean_return,
  count(*) filter (where forfeited) as forfeits,
  sum(nodes) / nullif(sum(decisions), 0) as nodes_per_move,
  sum(time_ms) / nullif(sum(decisions), 0) as ms_per_move
from results
group by rules, game, options, players, make;

create view head_to_head as
select runs.rules, runs.game, own.make, (array_agg(own.name order by runs.run desc))[1] as name,
  other.make as opponent_make, (array_agg(other.name order by runs.run desc))[1] as opponent,
  count(*) as games,
  avg(case when seat.return > facing.return then 1 when seat.return = facing.return then 0.5 else 0 end)
    ::double precision as score,
  avg(seat.return) as mean_return
from runs
  join games on games.run = runs.run
  join seats as seat on seat.run = games.run and seat.number = games.number
  join seats as facing on facing.run = games.run and facing.number = games.number and facing.seat <> seat.seat
  join entrants as own on own.run = seat.run and own.entrant = seat.entrant
  join entrants as other on other.run = facing.run and other.entrant = facing.entrant
where ${IS_FIRST}
group by runs.rules, runs.game, own.make, other.make;
`;

/** The comments of tables, views and columns. */
const COMMENTS: Readonly<Record<string, readonly [text: string, columns: Readonly<Record<string, string>>]>> =
  {
    runs: [
      "One row a run: a tournament, or the games that rate the checkpoints of a training",
      {
        run: "Its number in this database",
        id: "Names the run everywhere: from its store; of an older store a hash of its plan and its first game",
        name: "From its config",
        folder: "Name of the folder that it was exported from last",
        game: "The rules by name, such as connect-four; of a file of the user's its path",
        options: "Options of the game",
        version: "Version of the game",
        rules: "Hash of game, options, version and code: runs of the same rules can be compared",
        players: "Seats of a game",
        seed: "From which every random choice descends",
        blocks: "Blocks for each match that are planned; one is an opening under every rotation of the seats",
        is_training: "Whether the games rate the checkpoints of a training",
        plan: "The frozen plan, with every default filled in",
        rated_games: "Of how many games the ratings are",
        first_seat_elo: "Advantage of the first seat over the mean of the others, in Elo",
        first_seat_low: "Low end of its 95% interval",
        first_seat_high: "High end of its 95% interval",
        ranked_by: "What the ranks follow: elo or return",
        warnings: "Why ratings should not be trusted, as agon rate says it",
        exported_at: "When it was exported last",
      },
    ],
    entrants: [
      "Who takes part in a run: a configured agent with a name",
      {
        entrant: "Its place in the plan, from 0",
        name: "Differs within a run",
        agent: "Kind of agent, such as alpha-beta",
        spec: "Agent with its options and budget, defaults filled in; paths are from the folder of the run",
        code: "Hash of the code of the user's in it; null where there is none",
        weights:
          "Hash of the weights that it plays with; null where there are none, or they could not be read",
        make: "Hash of all that it is made of but its name: spec, code, weights. Equal in two runs: the same player",
      },
    ],
    games: [
      "One row for each finished game",
      {
        number: "From 1 in each run, in the order in which they were exported",
        id: "Hash of all that determines the game: rules, seed, entrants, opening, block, rotation of the seats",
        block: "Hash of what the seat rotations share: opening and chance. The sampling unit of statistics",
        line_up: "Hash of the makes at its seats; games of equal id and line_up in two runs are one game",
        opening_length: "How many of the actions are the opening",
        actions: "Every action from the start on, chance outcomes included, as numbers of the game",
        ending: "How it ended; anything but finished is a forfeit",
        forfeit_seat: "Who forfeited; null: nobody",
        detail: "Of a forfeit: what happened",
        thoughts: "What agents thought: value/depth/nodes/ms/line for each decision, with ; between two",
      },
    ],
    seats: [
      "One row for each seat of each game: who sat there, and what came out",
      {
        seat: "Player of the game, from 0",
        return: "Utility, in the units of the game, forfeits settled",
        decisions: "Decisions taken",
        nodes: "Positions visited in all of them; of mcts simulations",
        time_ms: "Milliseconds thought in all of them",
      },
    ],
    ratings: [
      "What agon rate gives for the run alone, as of its last export",
      {
        rank: "1 is the best",
        elo: "Maximum likelihood from all games of the run at once; the mean, or the anchor of the plan, is the zero",
        low: "Low end of its 95% interval",
        high: "High end of its 95% interval",
        wins: "First place alone; in games of one player compared within blocks",
        draws: "First place shared",
        losses: "Any other place",
        score: "Share of opponents beaten, ties counting a half: 0 to 1",
        draw_rate: "Share of draws",
        mean_return: "Mean return, in the units of the game",
        return_low: "Low end of its 95% interval over blocks",
        return_high: "High end of its 95% interval over blocks",
      },
    ],
    results: [
      "Seats with all that is usually asked of them; of a game that several runs have, those of the first run",
      {
        outcome: "won: first place alone; drawn: shared; lost; null in games of one player",
        score: "Share of opponents beaten, ties counting a half: 0 to 1; null in games of one player",
      },
    ],
    standings: [
      "What each player did in all runs of the same rules together; a player is a make",
      { name: "What the make is called in the latest run", runs: "In how many runs", score: "As in results" },
    ],
    head_to_head: [
      "What each player did against each other in all runs of the same rules; from games of two and more players",
      { score: "Share of games in which it came ahead, ties counting a half: 0 to 1" },
    ],
  };

function commentsOf(): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return Object.entries(COMMENTS)
    .flatMap(([name, [text, columns]]) => {
      const kind = VIEWS.includes(`create view ${name} `) ? "view" : "table";
      const ofColumns = Object.entries(columns).map(
        ([column, said]) => `comment on column ${name}.${column} is ${quoted(said)};`,
      );
      return [`comment on ${kind} ${name} is ${quoted(text)};`, ...ofColumns];
    })
    .join("\n");
}

/** Creates everything in the schema that is first in the search path. */
export const FIRST_VERSION = `${TABLES}${VIEWS}${commentsOf()}`;
