import { litness, perform, type DeskAction, type DeskHandle } from "../actions.ts";
import { actionOn, isSameSource, midiFeedback, readMidi, type MidiMap, type MidiMove } from "./midi-map.ts";

/**
 * Level from which a control counts as pressed. Pads send note on and off; controller buttons may send 127 and 0 as
 * control change.
 */
const PRESSED = 0.5;

/** The parts of Web MIDI ports that are used here. */
export interface MidiPorts {
  readonly inputs: { values(): Iterable<MidiPortIn> };
  readonly outputs: { values(): Iterable<{ readonly name?: string | null; send(bytes: number[]): void }> };
}
export interface MidiPortIn {
  readonly name?: string | null;
  onmidimessage: ((event: { readonly data: Uint8Array | null }) => void) | null;
}

/** Connects MIDI controllers with the desk: moved controls press actions, and held actions light their LEDs. */
export class MidiDesk {
  readonly #ports: MidiPorts;
  readonly #desk: DeskHandle;
  #map: MidiMap = {};
  #actions: readonly DeskAction[] = [];
  #learn: ((move: MidiMove) => void) | undefined;
  /** Whether each switch and pad is down, so that only changes press. */
  readonly #down = new Map<string, boolean>();
  readonly #lit = new Map<string, number>();

  constructor(ports: MidiPorts, desk: DeskHandle) {
    this.#ports = ports;
    this.#desk = desk;
  }

  /** Listens to all connected controllers and returns their names. */
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

  /** Passes the next moved control to `learn` instead of pressing it; undefined ends learning. */
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

  /** Updates LEDs and motor faders of the controllers from the desk's state. */
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
          // A disconnected controller; update the others.
        }
      }
    }
    for (const key of this.#lit.keys()) {
      if (!Object.values(this.#map).some((source) => isSameSource(source, JSON.parse(key)))) this.#lit.delete(key);
    }
  }

  /** Resends every LED after a controller was connected, because its state is unknown. */
  lightAnew(): void {
    this.#lit.clear();
    this.light();
  }

  close(): void {
    for (const input of this.#ports.inputs.values()) input.onmidimessage = null;
  }
}
