// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { show } from "../testing/show.tsx";
import { UploadPanel } from "./upload-panel.tsx";
import { uploads, type UploadState } from "./upload-songs.ts";

it("names the existing song if the uploaded file was added before", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const place = document.createElement("div");
  const root = createRoot(place);
  const file = new File([], "copy.mp3");
  act(() => uploads.set([{ id: 1, file, state: "existing", progress: 1, existing: "First Light" }]));
  act(() => root.render(<UploadPanel />));
  expect(place.querySelector("li")?.textContent).toContain('"First Light" was here already');
  expect(place.querySelector("[role=status]")?.textContent).toBe("1 of 1 files");
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

it("reports that an upload restored the lost file of a song", async () => {
  uploads.set([{ id: 1, file: new File([], "copy.mp3"), state: "restarted", progress: 1, existing: "First Light" }]);
  const place = await show(<UploadPanel />);
  expect(place.querySelector("li")?.textContent).toContain('"First Light" has its file again and is started again');
});

it("counts the files that were not added, at any position in the list", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const upload = (id: number, state: UploadState) => ({ id, file: new File([], `${id}.mp3`), state, progress: 1 });
  const place = document.createElement("div");
  const root = createRoot(place);
  act(() => uploads.set([upload(1, "done"), upload(2, "failed"), upload(3, "sending")]));
  act(() => root.render(<UploadPanel />));
  expect(place.querySelector("[role=status]")?.textContent).toBe("2 of 3 files, 1 not added");
  act(() => uploads.set([upload(1, "done")]));
  expect(place.querySelector("[role=status]")?.textContent).toBe("1 of 1 files");
  act(() => root.unmount());
  vi.unstubAllGlobals();
});
