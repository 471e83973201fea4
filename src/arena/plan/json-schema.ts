import {
  entrantJsonSchema,
  gameJsonSchema,
  hoistDefinitions,
  toJsonSchema,
  type JsonSchema,
} from "../../specs/json-schema.ts";
import { tournamentSchema } from "./config.ts";

/** JSON Schema of tournament files, for editors: every game and agent with its options. */
export function tournamentJsonSchema(): JsonSchema {
  const schema = toJsonSchema(tournamentSchema) as { properties: Record<string, JsonSchema> };
  return hoistDefinitions({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "agon tournament",
    ...schema,
    properties: {
      ...schema.properties,
      game: gameJsonSchema(),
      entrants: { type: "array", minItems: 2, items: entrantJsonSchema() },
    },
  });
}
