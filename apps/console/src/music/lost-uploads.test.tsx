// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";
import { press, show } from "../testing/show.tsx";

beforeEach(() => {
  vi.resetModules();
  sessionStorage.clear();
});

/** Loads the upload panel as a freshly loaded page would. */
async function freshPage() {
  const { UploadPanel } = await import("./upload-panel.tsx");
  const { uploads } = await import("./upload-songs.ts");
  return { UploadPanel, uploads };
}

// kept: Console | A reload in the middle of an upload lost it without a trace | also
test("lists after a reload the files that were not uploaded, until they are dismissed", async () => {
  const before = await freshPage();
  before.uploads.set([
    { id: 1, file: new File([], "done.mp3"), state: "done", progress: 1 },
    { id: 2, file: new File([], "half.mp3"), state: "sending", progress: 0.5 },
    { id: 3, file: new File([], "next.flac"), state: "waiting", progress: 0 },
  ]);
  vi.resetModules();
  const { UploadPanel } = await freshPage();
  const place = await show(<UploadPanel />);
  expect(place.textContent).toContain("before these 2 files were sent");
  expect(place.textContent).toContain("half.mp3, next.flac");
  expect(place.textContent).not.toContain("done.mp3");
  await press("Forget them");
  expect(place.textContent).toBe("");
});

// kept: Console | A reload in the middle of an upload lost it without a trace | failed with the fault put back
test("asks before the page is closed during an upload, and not afterwards", async () => {
  const { UploadPanel, uploads } = await freshPage();
  uploads.set([{ id: 1, file: new File([], "half.mp3"), state: "sending", progress: 0.5 }]);
  await show(<UploadPanel />);
  const leave = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leave()).toBe(true);
  uploads.set([{ id: 1, file: new File([], "half.mp3"), state: "done", progress: 1 }]);
  await expect.poll(leave).toBe(false);
});

test("works in a browser without storage", async () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  const { uploads } = await freshPage();
  expect(() => uploads.set([{ id: 1, file: new File([], "a.mp3"), state: "sending", progress: 0 }])).not.toThrow();
  vi.restoreAllMocks();
});
