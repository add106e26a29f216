// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { RecordingSchema, RecordingService, type Recording } from "@followspot/contract/recording";
import { beforeEach, expect, test } from "vitest";
import { button, eventually, press, show } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { RecordingBlock } from "./recording-block.tsx";

let recordings: Recording[];
let replayedId: string;
let asked: string[];
let refusal: ConnectError | undefined;

const FRIDAY = create(RecordingSchema, {
  id: "friday",
  name: "Friday",
  startedAt: timestampFromMs(0),
  startedBy: "Bo",
  seconds: 3725,
  bytes: 3_500_000n,
  universes: [1, 2],
  state: "whole",
});

beforeEach(() => {
  recordings = [FRIDAY];
  replayedId = "";
  asked = [];
  refusal = undefined;
});

function routes(router: ConnectRouter): void {
  const ask = (what: string) => {
    if (refusal) throw refusal;
    asked.push(what);
  };
  router.service(RecordingService, {
    listRecordings: () => ({ recordings, replayedId, replayPosition: 12 }),
    startRecording: () => {
      ask("start");
      recordings = [create(RecordingSchema, { id: "now", state: "recording", seconds: 61 }), ...recordings];
      return { recording: recordings[0]! };
    },
    stopRecording: () => {
      ask("stop");
      recordings = recordings.slice(1);
      return {};
    },
    startReplay: ({ id }) => {
      ask(`replay ${id}`);
      replayedId = id;
      return {};
    },
    stopReplay: () => {
      ask("stop replay");
      replayedId = "";
      return {};
    },
    deleteRecording: ({ id }) => {
      ask(`delete ${id}`);
      recordings = [];
      return {};
    },
  });
}

async function open(roles = ["Admin"]): Promise<HTMLElement> {
  const place = await show(
    <>
      <RecordingBlock />
      <Toasts />
    </>,
    { routes, roles },
  );
  await eventually(() => expect(button("Recordings (1)")).toBeDefined());
  return place;
}

test("one press starts a recording and shows its duration; the next stops it", async () => {
  const place = await open();
  await press("Record");
  await eventually(() => expect(place.textContent).toContain("Recording · 01:01"));
  await press("Stop recording");
  await eventually(() => expect(button("Record")).toBeDefined());
  expect(asked).toEqual(["start", "stop"]);
});

test("lists recordings, starts and stops a replay", async () => {
  await open();
  await press("Recordings (1)");
  await eventually(() => expect(document.body.textContent).toContain("62:05 · 2 universes · 3.34 MB"));
  await press("Replay");
  await eventually(() => expect(document.body.textContent).toContain("Replaying · 00:12"));
  await press("Stop replay");
  await eventually(() => expect(button("Replay")).toBeDefined());
  expect(asked).toEqual(["replay friday", "stop replay"]);
  expect(document.querySelector("a[download]")?.getAttribute("href")).toBe("/api/recordings/friday");
});

test("warns about a changed patch, and shows why a replay is rejected", async () => {
  recordings = [{ ...FRIDAY, isPatchChanged: true, state: "cut_off", problem: "The stage ended before it did." }];
  await open();
  await press("Recordings (1)");
  await eventually(() => expect(document.body.textContent).toContain("The patch has changed since"));
  expect(document.body.textContent).toContain("The stage ended before it did.");
  refusal = new ConnectError("A song has the lights. Pause it and leave its page first.", Code.FailedPrecondition);
  await press("Replay");
  await eventually(() =>
    expect(document.body.textContent).toContain("A song has the lights. Pause it and leave its page first."),
  );
});

test("hides Delete from users who are not Admins", async () => {
  await open(["Director"]);
  await press("Recordings (1)");
  await eventually(() => expect(button("Replay")).toBeDefined());
  expect(() => button("Delete")).toThrow();
});

test("deletes a recording after confirmation", async () => {
  await open();
  await press("Recordings (1)");
  await eventually(() => expect(button("Replay")).toBeDefined());
  await press("Delete");
  expect(document.body.textContent).toContain('Delete "Friday"? Its file is removed for good.');
  const dialog = document.querySelector("[role=alertdialog], [role=dialog]:last-of-type");
  expect(dialog).not.toBeNull();
  const confirm = [...document.querySelectorAll("button")].filter((each) => each.textContent === "Delete").at(-1)!;
  confirm.click();
  await eventually(() => expect(document.body.textContent).toContain("Nothing is recorded yet"));
  expect(asked).toEqual(["delete friday"]);
});
