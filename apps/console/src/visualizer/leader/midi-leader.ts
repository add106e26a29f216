import type { LeaderMove } from "@followspot/lighting";

/** The subset of Web MIDI that is used here. */
export interface LeaderPorts {
  readonly inputs: { values(): Iterable<LeaderPort> };
  addEventListener(type: "statechange", listener: () => void, options: { readonly signal: AbortSignal }): void;
}
export interface LeaderPort {
  readonly id: string;
  readonly name?: string | null;
  readonly state?: string;
  addEventListener(
    type: "midimessage",
    listener: (event: Event) => void,
    options: { readonly signal: AbortSignal },
  ): void;
  open?(): Promise<unknown>;
}

/** Decodes the bytes of one leader. */
interface Decoder {
  hear(bytes: Uint8Array, atMs: number): LeaderMove | undefined;
}

/** Time that the followed input must be silent before another input can replace it, ms. */
const SILENT_MS = 2000;

/** Follows one of the MIDI inputs. Open until {@link close}. */
export class MidiLeader<Found extends Decoder> {
  readonly #make: () => Found;
  readonly #onMove: (move: LeaderMove | undefined, decoder: Found) => void;
  readonly #onInputs: (names: readonly string[]) => void;
  readonly #ports: LeaderPorts;
  readonly #scope = new AbortController();
  readonly #known = new Set<LeaderPort>();
  #wanted = "";
  #leading: LeaderPort | undefined;
  #ledMs = Number.NEGATIVE_INFINITY;

  constructor(
    ports: LeaderPorts,
    make: () => Found,
    onMove: (move: LeaderMove | undefined, decoder: Found) => void,
    onInputs: (names: readonly string[]) => void,
  ) {
    this.#ports = ports;
    this.#make = make;
    this.#onMove = onMove;
    this.#onInputs = onInputs;
    ports.addEventListener("statechange", () => this.#listen(), { signal: this.#scope.signal });
    this.#listen();
  }

  /** @param name name of the input to follow; empty for any */
  choose(name: string): void {
    this.#wanted = name;
    this.#leading = undefined;
  }

  close(): void {
    this.#scope.abort();
  }

  #listen(): void {
    const inputs = [...this.#ports.inputs.values()];
    for (const port of inputs) {
      if (this.#known.has(port)) continue;
      this.#known.add(port);
      const decoder = this.#make();
      port.addEventListener("midimessage", (event) => this.#hear(port, decoder, event), { signal: this.#scope.signal });
      void port.open?.().catch(() => undefined); // If it was unplugged, a statechange event follows.
    }
    this.#onInputs(inputs.filter(({ state }) => state !== "disconnected").map(({ name }) => name ?? ""));
  }

  #hear(port: LeaderPort, decoder: Found, event: Event): void {
    const { data } = event as Event & { readonly data: Uint8Array | null }; // every midimessage event has it
    if (!data || (this.#wanted !== "" && port.name !== this.#wanted)) return;
    // The time stamp is when the message arrived at the port; the page may receive it later.
    const nowMs = performance.now();
    const atMs = event.timeStamp > 0 && event.timeStamp <= nowMs ? event.timeStamp : nowMs;
    const move = decoder.hear(data, atMs);
    if (this.#leading !== port && this.#leading && atMs - this.#ledMs < SILENT_MS) return;
    if (move) [this.#leading, this.#ledMs] = [port, atMs];
    this.#onMove(move, decoder);
  }
}
