import type { Song } from "@followspot/contract/music";

export type StepState = "done" | "active" | "waiting" | "failed";

export interface SongStepView {
  readonly name: "Download" | "Analysis" | "Lighting";
  readonly state: StepState;
  /** 0..100 */
  readonly percent: number;
}

/** The fields of a song that determine its progress. */
export type StepFacts = Pick<
  Song,
  "analysisStatus" | "lightingStatus" | "step" | "percent" | "audio" | "stepStartedAt"
>;

/** Returns the three steps of a song with their state, and the percentage of the current one. */
export function songSteps(song: StepFacts): readonly SongStepView[] {
  const { analysisStatus, lightingStatus, step, percent } = song;
  const downloaded =
    step !== "download" && (song.audio !== "" || analysisStatus === "ready" || analysisStatus === "processing");
  return [
    view(
      "Download",
      step === "download",
      downloaded ? "ready" : analysisStatus === "error" ? "error" : "pending",
      percent,
    ),
    view("Analysis", step === "analysis", downloaded ? analysisStatus : "pending", percent),
    view("Lighting", step === "lighting", lightingStatus, percent),
  ];
}

/** Returns the step to retry if a song has failed. */
export function failedStep(song: StepFacts): "download" | "analysis" | "lighting" {
  const failed = songSteps(song).find(({ state }) => state === "failed");
  if (failed?.name === "Lighting") return "lighting";
  return failed?.name === "Analysis" ? "analysis" : "download";
}

function view(name: SongStepView["name"], atWork: boolean, status: string, percent: number): SongStepView {
  if (atWork || status === "processing")
    return { name, state: "active", percent: atWork ? Math.min(100, Math.max(0, percent)) : 0 };
  if (status === "ready") return { name, state: "done", percent: 100 };
  return { name, state: status === "error" ? "failed" : "waiting", percent: 0 };
}
