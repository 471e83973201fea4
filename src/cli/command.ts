import type { ArgumentsCamelCase, Argv, CommandModule } from "yargs";

/**
 * Types a command. Handlers import what they need themselves, so that `agon --help` loads nothing but
 * the command line.
 */
export function defineCommand<Options>(command: {
  readonly command: string;
  readonly describe: string;
  readonly builder: (yargs: Argv) => Argv<Options>;
  readonly handler: (args: ArgumentsCamelCase<Options>) => Promise<void>;
}): CommandModule<object, Options> {
  return command;
}
