import type { Job } from "bullmq";
import type { Link } from "../link.ts";
import type { Results } from "./results.ts";

/** The worker for which jobs are played. */
export interface JobPlayerSetup {
  readonly link: Link;
  readonly results: Results;
  /** The worker's id. */
  readonly id: string;
  /** A folder of the worker's own. */
  readonly folder: string;
  /** How many games to play at once. */
  readonly workers: number;
  /** Whether to run code of the user's that comes with a run. */
  readonly plugins: boolean;
  /** Is told why games are not played. */
  readonly onRefused: (why: string) => void;
}

/** Plays jobs of one kind. */
export interface JobPlayer {
  /** How many games it has played. */
  readonly games: number;
  /** The names of the runs or trainings for which it plays now. */
  readonly names: readonly string[];
  /** Plays the games of a job and sends them, or why it cannot; false if so. What it throws has the job failed. */
  work(job: Job<unknown>): Promise<boolean>;
  /** Has it finish the games at hand. */
  stop(): void;
  /** Ends all that plays. */
  close(): void;
}
