import { expect, test } from "vitest";
import { songBadge, songFilter } from "./song-badge.ts";

const STATUSES = ["pending", "processing", "ready", "error"] as const;

// Rows: analysis; columns: lighting, in the order of STATUSES.
const BADGES = {
  pending: ["Downloading...", "Lighting...", "Downloading...", "Error"],
  processing: ["Analyzing...", "Lighting...", "Analyzing...", "Error"],
  ready: ["Downloading...", "Lighting...", "Ready", "Error"],
  error: ["Error", "Error", "Error", "Error"],
} as const;

for (const analysisStatus of STATUSES) {
  for (const [column, lightingStatus] of STATUSES.entries()) {
    test(`analysis ${analysisStatus}, lighting ${lightingStatus} is ${BADGES[analysisStatus][column]}`, () => {
      expect(songBadge({ analysisStatus, lightingStatus })).toBe(BADGES[analysisStatus][column]);
    });
  }
}

test("treats unknown statuses as ready", () => {
  expect(songBadge({ analysisStatus: "", lightingStatus: "" })).toBe("Ready");
});

test("a song is on the tab of its badge", () => {
  expect(songFilter({ analysisStatus: "ready", lightingStatus: "ready" })).toBe("ready");
  expect(songFilter({ analysisStatus: "ready", lightingStatus: "pending" })).toBe("downloading");
  expect(songFilter({ analysisStatus: "processing", lightingStatus: "pending" })).toBe("processing");
  expect(songFilter({ analysisStatus: "error", lightingStatus: "processing" })).toBe("error");
});
