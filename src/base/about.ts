import { z } from "zod";

/** A name that may name a folder. */
export const nameSchema = z
  .string()
  .regex(
    /^[\w.-]+$/,
    "must consist of letters, digits, - _ and . as it names a folder; `title` takes any text",
  );

/** Keys of a config for its readers, which change nothing that is played. */
export const aboutShape = {
  title: z.string().min(1).max(200).optional().describe("the title of the page [the name]"),
  date: z.string().min(1).max(100).optional().describe("a date or a time, as the page shows it"),
  description: z
    .string()
    .min(1)
    .max(20_000)
    .optional()
    .describe(
      "text above the results on the page: paragraphs, lists, bold, emphasis, code and links of Markdown",
    ),
};

const aboutSchema = z.looseObject(aboutShape);

/** A config's words for its readers. */
export interface About {
  readonly title?: string | undefined;
  readonly date?: string | undefined;
  readonly description?: string | undefined;
}

/** The words for readers in a config or a plan, without its other keys. */
export function aboutOf(given: object): About {
  const { title, date, description } = aboutSchema.safeParse(given).data ?? {};
  return {
    ...(title === undefined ? {} : { title }),
    ...(date === undefined ? {} : { date }),
    ...(description === undefined ? {} : { description }),
  };
}
