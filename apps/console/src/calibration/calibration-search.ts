import { text } from "../lib/list-search.ts";

export interface CalibrationSearch {
  /** Id of the output that is set; without it all are. */
  readonly output?: string | undefined;
}

export const calibrationSearch = (search: Record<string, unknown>): CalibrationSearch => ({
  output: text(search["output"]),
});
