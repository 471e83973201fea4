// Writes the JSON Schemas of the config files, from the built package: npm run schema
import { writeFileSync } from "node:fs";
import { tournamentJsonSchema } from "../dist/arena/plan/config.js";
import { trainingJsonSchema } from "../dist/training/plan/config.js";

const write = (name, schema) =>
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);

write("tournament.json", tournamentJsonSchema());
write("training.json", trainingJsonSchema());
