import { text } from "../lib/list-search.ts";

export interface CalibrationSearch {
  /** ID of the output to calibrate; undefined for all outputs. */
  readonly output?: string | undefined;
}

export const calibrationSearch = (search: Record<string, unknown>): CalibrationSearch => ({
  output: text(search["output"]),
});
