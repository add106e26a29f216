import { beforeEach, describe, expect, it } from "vitest";
import type { DeskValue } from "@followspot/contract";
import { deskActions, type DeskHandle } from "../actions.ts";
import type { DeskView } from "../desk-connection.ts";
import { MidiDesk, type MidiPortIn } from "./midi-desk.ts";
import { learnt, midiFeedback, readMidi, storedMap, storeMap, unlearnt, type MidiSource } from "./midi-map.ts";

const note = (number: number, channel = 0): MidiSource => ({ kind: "note", channel, number });
const cc = (number: number, channel = 0): MidiSource => ({ kind: "cc", channel, number });
const bytes = (...values: number[]) => Uint8Array.from(values);

describe("a MIDI message", () => {
  it("is a note, its end, or a control change", () => {
    expect(readMidi(bytes(0x92, 36, 100))).toEqual({ source: note(36, 2), level: 1 });
    expect(readMidi(bytes(0x92, 36, 0))).toEqual({ source: note(36, 2), level: 0 });
    expect(readMidi(bytes(0x82, 36, 64))).toEqual({ source: note(36, 2), level: 0 });
    expect(readMidi(bytes(0xb0, 7, 127))).toEqual({ source: cc(7), level: 1 });
  });

  it.each([[[]], [[0xf8]], [[0xb0, 7]], [[0xc0, 3, 0]], [[0x90, 200, 1]], [[0xf0, 1, 2, 3]]])(
    "is ignored by the desk: %j",
    (said) => expect(readMidi(bytes(...said))).toBeUndefined(),
  );

  it("lights an LED by the same address", () => {
    expect(midiFeedback(note(36, 2), 1)).toEqual([0x92, 36, 127]);
    expect(midiFeedback(cc(7), 0.5)).toEqual([0xb0, 7, 64]);
  });
});

describe("a stored mapping", () => {
  it("maps a source to one action at a time", () => {
    const map = learnt(learnt({}, "blackout", note(1)), "hold", note(1));
    expect(map).toEqual({ hold: note(1) });
    expect(unlearnt(map, "hold")).toEqual({});
  });

  it("stays in this browser, and is empty if the storage contains something else", () => {
    let held: string | null = null;
    const storage = () => ({ getItem: () => held, setItem: (_: string, text: string) => void (held = text) });
    storeMap({ master: cc(7) }, storage);
    expect(storedMap(storage)).toEqual({ master: cc(7) });
    for (const text of ["{", "[]", "null", '{"master":{"kind":"cc","channel":99,"number":1}}', '{"master":7}']) {
      held = text;
      expect(storedMap(storage)).toEqual({});
    }
  });
});

it("learns without storage, and starts empty the next time", () => {
  const denied = (): never => {
    throw new DOMException("denied", "SecurityError");
  };
  storeMap({ master: cc(7) }, denied);
  expect(storedMap(denied)).toEqual({});
});

describe("a controller at the desk", () => {
  let pressed: [string, DeskValue | null][];
  let hands: Record<string, DeskValue>;
  let lit: number[][];
  let taps: number;
  let midi: MidiDesk;
  const input: MidiPortIn = { name: "Pads", onmidimessage: null };
  const view = (): DeskView => ({
    connection: "live",
    state: {
      type: "desk",
      run: "r",
      revision: 1,
      groups: [],
      mode: "idle",
      song_id: "",
      outputs: 1,
      you: "ana",
      hands: Object.fromEntries(
        Object.entries(hands).map(([key, value]) => [key, { value, owner: "a", owner_name: "A", since: 0 }]),
      ),
    },
    waiting: new Map(),
    refusal: undefined,
  });

  beforeEach(() => {
    [pressed, hands, lit, taps] = [[], {}, [], 0];
    const desk: DeskHandle = {
      press: (control, value) => void pressed.push([control, value]),
      view,
      tap: () => void taps++,
      strobeHz: () => 2,
    };
    const output = { name: "Pads", send: (said: number[]) => void lit.push(said) };
    midi = new MidiDesk({ inputs: { values: () => [input] }, outputs: { values: () => [output] } }, desk);
    expect(midi.listen()).toEqual(["Pads"]);
    const map = { blackout: note(1), blinder: note(2), strobe: note(3), master: cc(7), tap: note(4), hold: cc(20) };
    midi.use(map, deskActions([]));
    lit = [];
  });
  const say = (...said: number[]) => input.onmidimessage?.({ data: bytes(...said) });

  it("toggles on a press and does nothing on release", () => {
    say(0x90, 1, 100);
    hands["blackout"] = true;
    say(0x80, 1, 0);
    say(0x90, 1, 100);
    expect(pressed).toEqual([
      ["blackout", true],
      ["blackout", null],
    ]);
  });

  it("holds blinder and strobe while the pad is down", () => {
    say(0x90, 2, 1);
    say(0x90, 2, 0);
    say(0x90, 3, 1);
    expect(pressed).toEqual([
      ["blinder", true],
      ["blinder", null],
      ["strobe", 2],
    ]);
  });

  it("follows a fader, and switches a knob's button at half its range", () => {
    say(0xb0, 7, 0);
    say(0xb0, 7, 127);
    say(0xb0, 20, 70);
    say(0xb0, 20, 90);
    say(0xb0, 20, 10);
    expect(pressed).toEqual([
      ["master", 0],
      ["master", 1],
      ["hold", true],
    ]);
    say(0x90, 4, 9);
    expect(taps).toBe(1);
  });

  it("changes the show size with each press, within bounds, and lights the LED in proportion", () => {
    midi.use({ bigger: note(5), calmer: note(6) }, deskActions([]));
    say(0x90, 5, 9);
    hands["size"] = 1;
    lit = [];
    midi.light();
    const lamps = [...lit];
    say(0x90, 6, 9);
    hands["size"] = 2;
    say(0x80, 5, 0);
    say(0x90, 5, 9);
    expect(pressed.map(([, value]) => value)).toEqual([1, null, 2]);
    expect(lamps).toEqual([[0x90, 5, 64]]);
  });

  it("reports moved controls while learning, and presses nothing", () => {
    const moved: unknown[] = [];
    midi.learnWith((move) => moved.push(move.source));
    say(0x90, 1, 100);
    say(0x80, 1, 0);
    midi.learnWith(undefined);
    expect([moved, pressed]).toEqual([[note(1)], []]);
  });

  it("lights held actions once, and also on a controller that is connected later", () => {
    hands = { blackout: true, master: 0.5 };
    midi.light();
    midi.light();
    expect(lit).toEqual([
      [0x90, 1, 127],
      [0xb0, 7, 64],
    ]);
    midi.lightAnew();
    expect(lit).toHaveLength(8);
  });
});
