import {
  entrantJsonSchema,
  gameJsonSchema,
  hoistDefinitions,
  toJsonSchema,
  type JsonSchema,
} from "../../specs/json-schema.ts";
import { trainingSchema } from "./config.ts";

/** JSON Schema of training files, for editors. */
export function trainingJsonSchema(): JsonSchema {
  const schema = toJsonSchema(trainingSchema) as { properties: Record<string, JsonSchema> };
  const rating = schema.properties["rating"] as { properties: Record<string, JsonSchema> };
  return hoistDefinitions({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "agon training",
    ...schema,
    properties: {
      ...schema.properties,
      game: gameJsonSchema(),
      rating: {
        ...rating,
        properties: {
          ...rating.properties,
          pool: { type: "array", minItems: 1, items: entrantJsonSchema() },
        },
      },
    },
  });
}
