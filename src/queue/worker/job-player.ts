import type { Job } from "bullmq";
import type { Link } from "../link.ts";
import type { Results } from "./results.ts";

/** The parts of a worker that its job players share. */
export interface JobPlayerSetup {
  readonly link: Link;
  readonly results: Results;
  /** The worker's id. */
  readonly id: string;
  /** The worker's own folder. */
  readonly folder: string;
  /** The number of games to play at once. */
  readonly workers: number;
  /** True to run code of the user's that comes with a run. */
  readonly plugins: boolean;
  /** Receives the reason when games are not played. */
  readonly onRefused: (why: string) => void;
}

/** Plays jobs of one kind. */
export interface JobPlayer {
  /** The number of games that it has played. */
  readonly games: number;
  /** The names of the runs or trainings that it plays for now. */
  readonly names: readonly string[];
  /** Plays a job and sends its games, or the reason why it cannot; then it returns false. If it throws, the job fails. */
  work(job: Job<unknown>): Promise<boolean>;
  /** Has it finish the games at hand. */
  stop(): void;
  /** Ends its processes or threads. */
  close(): void;
}
