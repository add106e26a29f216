// @vitest-environment jsdom
import type { SoundState } from "@followspot/contract";
import { act } from "react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { button, choose, eventually, field, press, show } from "../../testing/show.tsx";
import type { DeskView } from "../desk-connection.ts";
import { SoundBlock } from "./sound-block.tsx";

vi.mock("../../sound-input/tap-worklet.ts?worker&url", () => ({ default: "worklet.js" }));

/** The stage at the other end of the block's connection. */
class Stage extends EventTarget {
  static last: Stage | undefined;
  readyState = 1;
  bufferedAmount = 0;
  constructor() {
    super();
    Stage.last = this;
  }
  send(): void {}
  close(): void {
    this.readyState = 3;
  }
}

const DESK: DeskView = { connection: "live", state: undefined, waiting: new Map(), refusal: undefined };
const HEARD = { isSilent: false, level: 0.5, energy: 0.5 };
const PULSE = { beat: 10.2, bpm: 125.6, confidence: 0.8, beatsPerBar: 4, downbeat: 0 };
const LEAD = { source: "microphone", owner: "bo", owner_name: "Bo", device: "Line 1", isHeard: true } as const;
const state = (more: Partial<SoundState> = {}): SoundState => ({
  type: "sound",
  run: "run",
  lead: undefined,
  you: "ana",
  you_lead: false,
  has_device: false,
  problem: "",
  heard: HEARD,
  ...more,
});

beforeEach(() => void vi.stubGlobal("WebSocket", Stage));

async function open(first: SoundState): Promise<HTMLElement> {
  const place = await show(<SoundBlock desk={DESK} />, { roles: ["Director"] });
  await act(async () => Stage.last?.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(first) })));
  return place;
}

it("offers the microphone, and the stage's input if there is one", async () => {
  await open(state({ has_device: true }));
  expect(button("Follow the microphone").disabled).toBe(false);
  expect(button("Follow the stage's sound input").disabled).toBe(false);
});

it("shows the active source, tempo and level, and the button to end live sound", async () => {
  const place = await open(state({ lead: LEAD, heard: { ...HEARD, pulse: PULSE } }));
  expect(place.textContent).toContain("Bo leads");
  expect(place.textContent).toContain("Line 1");
  expect(place.textContent).toContain("126 BPM");
  expect(place.textContent).toContain("on the beat");
  expect(place.querySelector("[role=meter]")!.getAttribute("aria-valuenow")).toBe("50");
  expect(button("Back to songs")).toBeDefined();
});

it.each([
  [{ heard: { ...HEARD, isSilent: true } }, "Nothing is heard."],
  [{ lead: { ...LEAD, isHeard: false } }, "No sound comes in."],
])("reports when no pulse can be followed", async (more, words) => {
  const place = await open(state({ lead: LEAD, ...more }));
  expect(place.querySelector("[role=status]")!.textContent).toContain(words);
});

it("explains problems of the stage's input", async () => {
  const place = await open(state({ lead: { ...LEAD, source: "device" }, problem: "The sound device gives no sound." }));
  expect(place.textContent).toContain("The stage's sound input leads");
  expect(place.querySelector("[role=alert]")!.textContent).toBe("The sound device gives no sound.");
});

it("explains what to do if the browser provides no microphone", async () => {
  const place = await open(state());
  await press("Follow the microphone");
  expect(place.querySelector("[role=alert]")!.textContent).toContain("https://");
});

/** Simulates a machine with two microphones. */
function plugInMicrophones(): void {
  const devices = ["desk", "room"].map((deviceId) => ({ kind: "audioinput", deviceId, label: deviceId }));
  const mediaDevices = Object.assign(new EventTarget(), { enumerateDevices: () => Promise.resolve(devices) });
  Object.defineProperty(navigator, "mediaDevices", { configurable: true, value: mediaDevices });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "mediaDevices"));
}

// kept: Console | A browser that keeps nothing broke the click's volume and the choice of a microphone | also
it("stores the chosen microphone, and works in a browser without storage", async () => {
  plugInMicrophones();
  onTestFinished(() => localStorage.clear());
  const first = await open(state());
  await eventually(() => expect(field("Microphone or line").value).toBe(""));
  await choose("Microphone or line", "room");
  first.remove();
  await open(state());
  await eventually(() => expect(field("Microphone or line").value).toBe("room"));
  document.body.replaceChildren();

  for (const way of ["getItem", "setItem", "removeItem"] as const)
    vi.spyOn(Storage.prototype, way).mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
  onTestFinished(() => void vi.restoreAllMocks());
  await open(state());
  await eventually(() => expect(field("Microphone or line").value).toBe(""));
  await choose("Microphone or line", "desk");
  expect(field("Microphone or line").value).toBe("desk");
});
