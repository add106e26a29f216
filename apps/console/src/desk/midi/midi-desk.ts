import { litness, perform, type DeskAction, type DeskHandle } from "../actions.ts";
import { actionOn, isSameSource, midiFeedback, readMidi, type MidiMap, type MidiMove } from "./midi-map.ts";

/** A pad sends on and off, a button of a controller may send 127 and 0 as control change: from here on it is pressed. */
const PRESSED = 0.5;

/** The ports of Web MIDI that are used here. */
export interface MidiPorts {
  readonly inputs: { values(): Iterable<MidiPortIn> };
  readonly outputs: { values(): Iterable<{ readonly name?: string | null; send(bytes: number[]): void }> };
}
export interface MidiPortIn {
  readonly name?: string | null;
  onmidimessage: ((event: { readonly data: Uint8Array | null }) => void) | null;
}

/** Joins controllers with the desk: what is moved is pressed, what is in a hand lights up. */
export class MidiDesk {
  readonly #ports: MidiPorts;
  readonly #desk: DeskHandle;
  #map: MidiMap = {};
  #actions: readonly DeskAction[] = [];
  #learn: ((move: MidiMove) => void) | undefined;
  /** How far switches and pads are, so that only a change of them presses. */
  readonly #down = new Map<string, boolean>();
  readonly #lit = new Map<string, number>();

  constructor(ports: MidiPorts, desk: DeskHandle) {
    this.#ports = ports;
    this.#desk = desk;
  }

  /** Listens to all controllers there are now. Returns their names. */
  listen(): readonly string[] {
    const inputs = [...this.#ports.inputs.values()];
    for (const input of inputs) input.onmidimessage = ({ data }) => data && this.hear(data);
    return inputs.map(({ name }) => name ?? "");
  }

  use(map: MidiMap, actions: readonly DeskAction[]): void {
    this.#map = map;
    this.#actions = actions;
    this.light();
  }

  /** The next thing that is moved is told instead of pressed; undefined ends it. */
  learnWith(learn: ((move: MidiMove) => void) | undefined): void {
    this.#learn = learn;
  }

  hear(bytes: Uint8Array): void {
    const move = readMidi(bytes);
    if (!move) return;
    const key = JSON.stringify(move.source);
    const wasDown = this.#down.get(key) ?? false;
    const isDown = move.level >= PRESSED;
    this.#down.set(key, isDown);
    if (this.#learn) return move.level > 0 ? this.#learn(move) : undefined;
    const action = this.#actions.find(({ id }) => id === actionOn(this.#map, move.source));
    if (!action) return;
    if (action.kind === "level" && move.source.kind === "cc") perform(action, move.level, this.#desk);
    else if (isDown !== wasDown) perform(action, isDown ? 1 : 0, this.#desk);
  }

  /** Brings lamps and motor faders of the controllers in line with the desk. */
  light(): void {
    const outputs = [...this.#ports.outputs.values()];
    for (const [id, source] of Object.entries(this.#map)) {
      const action = this.#actions.find((each) => each.id === id);
      if (!action) continue;
      const level = litness(action, this.#desk.view());
      const key = JSON.stringify(source);
      if (this.#lit.get(key) === level) continue;
      this.#lit.set(key, level);
      for (const output of outputs) {
        try {
          output.send(midiFeedback(source, level));
        } catch {
          // A controller that was pulled out; the others are lit.
        }
      }
    }
    for (const key of this.#lit.keys()) {
      if (!Object.values(this.#map).some((source) => isSameSource(source, JSON.parse(key)))) this.#lit.delete(key);
    }
  }

  /** A controller was plugged in: it knows nothing yet. */
  lightAnew(): void {
    this.#lit.clear();
    this.light();
  }

  close(): void {
    for (const input of this.#ports.inputs.values()) input.onmidimessage = null;
  }
}
