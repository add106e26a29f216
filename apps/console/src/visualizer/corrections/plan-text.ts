import { isBeingPlanned, type SongHeading } from "../visualizer.queries.ts";

/** Where the show stands after the last save, for a person. */
export function planText(heading: SongHeading | undefined, isCorrected: boolean): string {
  if (heading?.analysisStatus === "error") return failed("The analysis failed", heading);
  if (heading?.lightingStatus === "error") return failed("Planning failed", heading);
  if (heading && isBeingPlanned(heading)) {
    const isHeardAgain = heading.analysisStatus === "pending" || heading.analysisStatus === "processing";
    const step = isHeardAgain ? "analysis" : "lighting";
    const percent = heading.step === step && heading.percent > 0 ? ` ${heading.percent} %` : "";
    return `${isCorrected ? "Saved. " : ""}${isHeardAgain ? "Analysing again…" : "Re-planning…"}${percent}`;
  }
  return isCorrected ? "Saved. The show follows them." : "Nothing is corrected";
}

const failed = (what: string, { errorMessage }: SongHeading): string =>
  errorMessage ? `${what}: ${errorMessage}` : `${what}.`;
