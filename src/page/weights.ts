import { createContext } from "preact";
import type { PageData } from "./data.ts";

/** The weights that the page carries, for whoever plays. */
export const WeightsContext = createContext<PageData["weights"]>({});
