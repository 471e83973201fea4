/**
 * Four shared int32 through which a worker tells what it is at, so that a hanging or dead agent can be
 * named, and through which it is asked to stop.
 */
export const STATUS_BYTES = 16;
/** Index of the game in the task. */
export const GAME = 0;
/** The seat that is thinking, or IDLE. */
export const SEAT = 1;
/** Counts the decisions begun in this task. */
export const TURN = 2;
/** Set to 1 to have the worker return after the game at hand. */
export const STOP = 3;
export const IDLE = -1;
