import { isBeingPlanned, type SongHeading } from "../visualizer.queries.ts";
import { correctionsStrings } from "./corrections.strings.ts";

const text = correctionsStrings.plan;

/** Describes the state of the show after the last save. */
export function planText(heading: SongHeading | undefined, isCorrected: boolean): string {
  if (heading?.analysisStatus === "error") return failed(text.analysisFailed, heading);
  if (heading?.lightingStatus === "error") return failed(text.planningFailed, heading);
  if (heading && isBeingPlanned(heading)) {
    const isHeardAgain = heading.analysisStatus === "pending" || heading.analysisStatus === "processing";
    const step = isHeardAgain ? "analysis" : "lighting";
    const percent = heading.step === step && heading.percent > 0 ? text.percent(heading.percent) : "";
    return `${isCorrected ? text.saved : ""}${isHeardAgain ? text.hearing : text.planning}${percent}`;
  }
  return isCorrected ? text.followed : text.nothing;
}

const failed = (what: string, { errorMessage }: SongHeading): string =>
  errorMessage ? `${what}: ${errorMessage}` : `${what}.`;
