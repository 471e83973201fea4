import { gradingJsonSchema } from "../arena/grading/grading.ts";
import { tournamentJsonSchema } from "../arena/plan/tournament-schema.ts";
import { tuningJsonSchema } from "../arena/plan/tuning.ts";
import { ablationJsonSchema } from "../arena/suite/ablation.ts";
import { unknownName } from "../base/text.ts";
import { InputError } from "../base/errors.ts";
import { trainingJsonSchema } from "../training/plan/config.ts";
import { defineCommand, print } from "./shared/command.ts";

const SCHEMAS = {
  tournament: tournamentJsonSchema,
  training: trainingJsonSchema,
  tuning: tuningJsonSchema,
  ablation: ablationJsonSchema,
  grading: gradingJsonSchema,
};

/** The JSON Schemas of the kinds of config, by kind, each with an id that names no place. */
export function configSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(SCHEMAS).map(([kind, schema]) => [kind, { $id: `urn:agon:schema:${kind}`, ...schema() }]),
  );
}

export const schema = defineCommand({
  builder: (yargs) =>
    yargs.positional("kind", {
      type: "string",
      demandOption: true,
      describe: `the kind of config: ${Object.keys(SCHEMAS).join(", ")}`,
    }),
  examples: [
    ["agon schema tournament > tournament.schema.json", "for an editor, or to check configs elsewhere"],
  ],
  handler({ kind }) {
    const schemas = configSchemas();
    if (!Object.hasOwn(schemas, kind))
      throw new InputError(unknownName("kind of config", kind, Object.keys(schemas)));
    print(JSON.stringify(schemas[kind], undefined, 2));
    return Promise.resolve();
  },
});
