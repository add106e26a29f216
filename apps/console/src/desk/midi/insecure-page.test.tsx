// @vitest-environment jsdom
import { describe, expect, test, vi } from "vitest";
import { show } from "../../testing/show.tsx";
import { LeaderBar } from "../../visualizer/leader/leader-bar.tsx";
import { leaderStrings } from "../../visualizer/leader/leader.strings.ts";
import { CLOSED_VIEW } from "../../visualizer/leader/song-leader.ts";
import type { LeaderHandle } from "../../visualizer/leader/use-leader.ts";
import { deskStrings } from "../desk.strings.ts";
import { MidiBlock } from "./midi-block.tsx";

const nothing = () => undefined;
const leaderOf = (kind: "mtc" | "clock" | "ltc"): LeaderHandle => ({
  ...{ kind, view: { ...CLOSED_VIEW, inputState: "missing" }, start: "00:00:00:00", input: "", frameRate: "" },
  ...{
    choose: nothing,
    setInput: nothing,
    setFrameRate: nothing,
    setStart: nothing,
    retry: nothing,
    wake: nothing,
    hearJumps: nothing,
  },
});

// kept: Doors | Over plain http the console blamed the browser for missing MIDI and sound inputs, and named no https | failed on the old code
describe.each([
  ["over plain http", false],
  ["over https or on this machine", true],
])("in a page that was opened %s", (_how, isSecure) => {
  test("the desk says why there is no MIDI", async () => {
    vi.stubGlobal("isSecureContext", isSecure);
    const place = await show(<MidiBlock actions={[]} />);
    expect(place.textContent).toContain(isSecure ? deskStrings.midiNone : deskStrings.midiInsecure);
  });

  test.each(["mtc", "clock", "ltc"] as const)("the song's leader %s says why it has no input", async (kind) => {
    vi.stubGlobal("isSecureContext", isSecure);
    const place = await show(<LeaderBar leader={leaderOf(kind)} hasBeats />);
    const { insecure, inputStates } = leaderStrings;
    expect(place.textContent).toContain(isSecure ? inputStates.missing[kind] : insecure);
  });
});
