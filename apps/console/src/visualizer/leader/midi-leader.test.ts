import { MidiTimeCode, type LeaderMove } from "@followspot/lighting";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fullMessage } from "../../../../../packages/lighting/src/testing/leaders.ts";
import { MidiLeader, type LeaderPorts } from "./midi-leader.ts";

class Port extends EventTarget {
  state = "connected";
  readonly id: string;
  readonly name: string;
  constructor(name: string) {
    super();
    this.id = this.name = name;
  }
  /** Sends a full message with the time code of a second, at 25 frames per second. */
  say(second: number, timeStamp?: number): void {
    const event = Object.assign(new Event("midimessage"), { data: fullMessage(second * 25, "25") });
    if (timeStamp !== undefined) Object.defineProperty(event, "timeStamp", { value: timeStamp });
    this.dispatchEvent(event);
  }
}

let ports: EventTarget & { inputs: Map<string, Port> };
let moves: (LeaderMove | undefined)[];
let names: readonly string[];
let leader: MidiLeader<MidiTimeCode>;
const [a, b] = [() => ports.inputs.get("A")!, () => ports.inputs.get("B")!];
const seconds = () => moves.map((move) => move && move.kind !== "stands" && move.seconds);

const now = 100_000;

afterEach(() => vi.restoreAllMocks());
beforeEach(() => {
  vi.spyOn(performance, "now").mockReturnValue(now);
  ports = Object.assign(new EventTarget(), {
    inputs: new Map([new Port("A"), new Port("B")].map((port) => [port.id, port])),
  });
  [moves, names] = [[], []];
  leader = new MidiLeader(
    ports as LeaderPorts,
    () => new MidiTimeCode(),
    (move) => moves.push(move),
    (found) => (names = found),
  );
});

describe("MIDI inputs", () => {
  it("are listed by name, also when they are plugged in later or unplugged", () => {
    expect(names).toEqual(["A", "B"]);
    ports.inputs.set("C", new Port("C"));
    a().state = "disconnected";
    ports.dispatchEvent(new Event("statechange"));
    expect(names).toEqual(["B", "C"]);
    ports.inputs.get("C")!.say(3);
    expect(seconds()).toEqual([3]);
  });

  it("lead one at a time: the first one that sends, until it has been silent for two seconds", () => {
    a().say(1, now - 3000);
    b().say(50, now - 2500);
    a().say(2, now - 2400);
    b().say(51, now - 300);
    a().say(3, now - 200);
    expect(seconds()).toEqual([1, 2, 51]);
  });

  it("use the time stamps of messages, or the current time if a stamp is of another clock", () => {
    a().say(1, now - 7);
    a().say(2, 0);
    a().say(3, now + 1e9);
    expect(moves.map((move) => move?.atMs)).toEqual([now - 7, now, now]);
  });

  it("are ignored except the chosen one, and all after closing", () => {
    leader.choose("B");
    a().say(1);
    b().say(2);
    leader.close();
    b().say(3);
    expect(seconds()).toEqual([2]);
  });
});
