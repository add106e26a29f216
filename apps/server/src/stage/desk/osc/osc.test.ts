import { createSocket } from "node:dgram";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Desk } from "../desk.ts";
import { deskRig } from "../../testing/desk-rig.ts";
import { until } from "../../testing/dmx-node.ts";
import { listenForOsc, pressOf, type OscInput } from "./osc-input.ts";
import { readOsc } from "./osc-packet.ts";

type Value = number | string | boolean;

function padded(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`, "latin1");
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

/** Encodes a message as a sender does; integers as i, other numbers as f. */
function message(address: string, ...values: Value[]): Buffer {
  const typeOf = (value: Value) => {
    if (typeof value === "boolean") return value ? "T" : "F";
    if (typeof value === "string") return "s";
    return Number.isInteger(value) ? "i" : "f";
  };
  const bytes = values.flatMap((value) => {
    if (typeof value === "boolean") return [];
    if (typeof value === "string") return [padded(value)];
    const number = Buffer.alloc(4);
    if (Number.isInteger(value)) number.writeInt32BE(value);
    else number.writeFloatBE(value);
    return [number];
  });
  return Buffer.concat([padded(address), padded(`,${values.map(typeOf).join("")}`), ...bytes]);
}

function bundle(...elements: Buffer[]): Buffer {
  const sized = elements.flatMap((element) => {
    const size = Buffer.alloc(4);
    size.writeInt32BE(element.length);
    return [size, element];
  });
  return Buffer.concat([padded("#bundle"), Buffer.alloc(8), ...sized]);
}

describe("an OSC packet", () => {
  it("is parsed as specified by OSC 1.0", () => {
    // From the specification: /oscillator/4/frequency with the float 440.
    const example = Buffer.from("2f6f7363696c6c61746f722f342f6672657175656e6379002c66000043dc0000", "hex");
    expect(readOsc(example)).toEqual([{ address: "/oscillator/4/frequency", values: [440] }]);
    expect(readOsc(message("/a", 1, 0.5, true, false, "red"))).toEqual([
      { address: "/a", values: [1, 0.5, true, false, "red"] },
    ]);
    expect(readOsc(padded("/no/types"))).toEqual([{ address: "/no/types", values: [] }]);
  });

  // kept: Stage and lamps | OSC numbers of 64 bits, colors, two-dimensional pads, numbers as text and addresses with a slash at the end were ignored | failed on the old code
  it.each([
    ["d", "3fe0000000000000", [0.5]],
    ["h", "0000000000000002", [2]],
    ["h", "ffffffffffffffff", [-1]],
    ["r", "ff000080", ["#ff0000"]],
    ["r", "000a0bff", ["#000a0b"]],
    ["c", "00000031", ["1"]],
    ["S", "6f6e0000", ["on"]],
    ["I", "", [true]],
    ["N", "", []],
    ["ifT", "000000013f000000", [1, 0.5, true]],
  ])("has arguments of type %s in the bytes %s: %j", (types, bytes, values) => {
    const packet = Buffer.concat([padded("/a"), padded(`,${types}`), Buffer.from(bytes, "hex")]);
    expect(readOsc(packet)).toEqual([{ address: "/a", values }]);
    if (bytes !== "") expect(readOsc(packet.subarray(0, -4))).toBeUndefined();
  });

  it("may be a bundle of bundles", () => {
    const packet = bundle(message("/a", 1), bundle(message("/b", true)));
    expect(readOsc(packet)?.map(({ address }) => address)).toEqual(["/a", "/b"]);
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["zeros", Buffer.alloc(64)],
    ["no address", message("followspot")],
    ["an unknown type", padded("/a\0\0,b\0\0")],
    ["too short for its argument", Buffer.concat([padded("/a"), padded(",f")])],
    ["too long", Buffer.concat([message("/a", 1), Buffer.alloc(4)])],
    ["not padded", Buffer.from("/a\0")],
    ["without an end", Buffer.from("/abcdefg")],
    ["signs no address has", message("/a\u0007")],
    ["a bundle cut off", bundle(message("/a", 1)).subarray(0, 24)],
    [
      "a bundle that claims more than it is",
      Buffer.concat([padded("#bundle"), Buffer.alloc(8), Buffer.from([127, 255, 255, 252])]),
    ],
    [
      "a bundle that claims less than nothing",
      Buffer.concat([padded("#bundle"), Buffer.alloc(8), Buffer.from([255, 255, 255, 252])]),
    ],
    ["bundles without end", [1, 2, 3, 4, 5, 6].reduce((inner) => bundle(inner), message("/a"))],
    ["a thousand messages", bundle(...Array.from({ length: 100 }, () => message("/a")))],
    ["larger than any press", Buffer.concat([padded("/a".padEnd(5000, "a")), padded(",")])],
  ])("that is %s is ignored", (_, packet) => expect(readOsc(packet)).toBeUndefined());

  it("never throws on ten thousand packets of noise", () => {
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647);
    for (let i = 0; i < 10_000; i++) {
      const packet = i % 2 === 0 ? Buffer.alloc(4 * (random() % 40)) : Buffer.from(bundle(message("/a", 1, "b", 0.5)));
      for (let k = 0; k < (i % 2 === 0 ? packet.length : 3); k++) packet[random() % packet.length] = random() % 256;
      expect(() => readOsc(packet)).not.toThrow();
    }
  });
});

describe("the desk press of an OSC message", () => {
  it.each([
    ["/followspot/master", 0.5, "master", 0.5],
    ["/followspot/master", 1, "master", 1],
    ["/followspot/blackout", 1, "blackout", true],
    ["/followspot/blackout", 0, "blackout", null],
    ["/followspot/blackout", true, "blackout", true],
    ["/followspot/mute/front", false, "mute/front", null],
    ["/followspot/strobe", true, "strobe", 2],
    ["/followspot/strobe", 2.5, "strobe", 2.5],
    ["/followspot/strobe", 0, "strobe", null],
    ["/followspot/size", -2, "size", -2],
    ["/followspot/size", 0, "size", null],
    ["/followspot/color/front", "#ff0000", "color/front", "#ff0000"],
    ["/followspot/idle", "dark", "idle", "dark"],
    ["/followspot/pair", "blue and amber", "pair", "blue and amber"],
    ["/followspot/figure/front", "circle", "figure/front", "circle"],
    ["/followspot/figure", false, "figure", null],
    ["/followspot/give-back", 1, "all", null],
    ["/followspot/master/", 0.5, "master", 0.5],
    ["/followspot/master", "0.5", "master", 0.5],
    ["/followspot/blackout", "1", "blackout", true],
    ["/followspot/blackout", "0", "blackout", null],
    ["/followspot/size", "0", "size", null],
  ])("%s %s", (address, value, control, pressed) => {
    expect(pressOf({ address, values: [value] })).toEqual({ control, value: pressed });
  });

  it("of a two-dimensional pad aims a head", () => {
    expect(pressOf({ address: "/followspot/aim/4", values: [0.25, 1] })).toEqual({ control: "aim/4", value: "0.25 1" });
    expect(pressOf({ address: "/followspot/aim/4", values: [0.25, 1.5] })).toBeUndefined();
    expect(pressOf({ address: "/followspot/master", values: [0.25, 1] })).toBeUndefined();
  });

  it.each([
    ["/other/master", 0.5],
    ["/followspot/master", 1.5],
    ["/followspot/master", Number.NaN],
    ["/followspot/strobe", 25],
    ["/followspot/size", 3],
    ["/followspot/mute", true],
    ["/followspot/blackout", "yes"],
    ["/followspot/blackout", Number.NaN],
    ["/followspot/blackout", " "],
    ["/followspot/size", "large"],
    ["/followspot/mast*", 1],
    ["/followspot/master//", 1],
    ["/followspot/color", "red"],
    ["/followspot/pair", 7],
    ["/followspot/", 1],
  ])("does not exist for %s %s", (address, value) => expect(pressOf({ address, values: [value] })).toBeUndefined());
});

describe("the OSC input", () => {
  let desk: Desk;
  let osc: OscInput;
  const sender = createSocket("udp4");

  beforeEach(async () => {
    desk = new Desk(
      () => 1,
      () => {},
    );
    desk.setRig(deskRig({ groups: new Map([["front", "Front"]]), lights: new Map([[4, "Par 4"]]) }));
    osc = await listenForOsc(desk, { host: "127.0.0.1", port: 0 }, () => {}, 100);
  });
  afterEach(() => osc.close());
  const send = (packet: Buffer) => sender.send(packet, osc.health().port, "127.0.0.1");

  // kept: Stage and lamps | Taps of two OSC senders were combined into one tempo | failed on the old code
  it("computes the tempo of each sender separately", async () => {
    const other = createSocket("udp4");
    await new Promise<void>((bound) => other.bind(0, "127.0.0.2", bound));
    try {
      send(message("/followspot/tap", 1));
      await until(() => osc.health().taken === 1);
      // From one sender these two taps would be a tempo.
      await new Promise((later) => setTimeout(later, 400));
      other.send(message("/followspot/tap", 1), osc.health().port, "127.0.0.1");
      await until(() => osc.health().taken === 2);
      expect(desk.hands["tempo"]).toBeUndefined();
    } finally {
      other.close();
    }
  });

  it("applies presses visibly for all consoles, and counts ignored packets", async () => {
    send(message("/followspot/master", 0.25));
    send(bundle(message("/followspot/mute/front", true), message("/followspot/blackout", 1)));
    send(message("/followspot/disco", 1));
    send(Buffer.from("GET / HTTP/1.1\r\n\r\n"));
    await until(() => osc.health().taken === 3 && osc.health().ignored === 2);
    expect(desk.hands["master"]).toMatchObject({ value: 0.25, owner: "osc", owner_name: "OSC 127.0.0.1" });
    expect(Object.keys(desk.hands).toSorted()).toEqual(["blackout", "master", "mute/front"]);
    send(message("/followspot/give-back"));
    await until(() => Object.keys(desk.hands).join() === "blackout");
  });

  it("releases a blinder whose sender has stopped sending", async () => {
    send(message("/followspot/blinder", 1));
    await until(() => "blinder" in desk.hands);
    await until(() => !("blinder" in desk.hands));
  });

  it("computes the tempo from taps", async () => {
    send(message("/followspot/tap"));
    await new Promise((later) => setTimeout(later, 400));
    send(message("/followspot/tap", 1));
    await until(() => "tempo" in desk.hands);
    expect(Number(desk.hands["tempo"]!.value)).toBeGreaterThan(100);
  });
});
