import { writeSentLamps, type SentStretch } from "@followspot/contract";
import type { WebSocket } from "ws";
import { monotonicMs, SLOTS } from "../outputs/frame-ring.ts";
import type { SentTick } from "../outputs/sent-tap.ts";
import { SocketRoom } from "../sockets/socket-room.ts";

/** Shortest time between two messages: every second tick of the outputs. */
const TELL_MS = 45;
const BEAT_MS = 1000;
/** Every so many beats everything is told, so that nothing wrong stays for longer. */
const BEATS_PER_WHOLE = 4;

export interface SentHost {
  /** Tells what is sent from now on: whole universes first, then what changes. @returns ends it */
  readonly tap: (onSent: (sent: SentTick) => void) => () => void;
  readonly isSending: () => boolean;
  /** No output is set up: it is what would be sent. */
  readonly isPreview: () => boolean;
  /** Universes that go out somewhere, or would. */
  readonly universes: () => readonly number[];
  /** Shorter in tests. */
  readonly tellMs?: number;
}

/** Slots of a universe that is about to be told. */
const NOTHING = new Uint8Array(0);

interface Listener {
  /** It has missed something: the next thing it is told is everything. */
  isBehind: boolean;
}

/** All connections on `/lights/lamps`, which are told what lamps are sent. Without a connection no frame is read. */
export class SentSockets {
  readonly #host: SentHost;
  readonly #room = new SocketRoom<Listener, Uint8Array>({
    stateFor: () => this.#whole(),
    mostBufferedBytes: 65_536,
    slowReader: "misses messages",
    write: (message) => message,
  });
  /** What left last, and what of it was told. */
  readonly #sent = new Map<number, Uint8Array>();
  readonly #told = new Map<number, Uint8Array>();
  #sentMs = 0;
  #toldMs = 0;
  #telling: NodeJS.Timeout | undefined;
  #beating: NodeJS.Timeout | undefined;
  #beats = 0;
  #endTap: (() => void) | undefined;

  constructor(host: SentHost) {
    this.#host = host;
  }

  add(socket: WebSocket): void {
    this.#endTap ??= this.#host.tap((sent) => this.#hear(sent));
    this.#beating ??= setInterval(() => this.#beat(), BEAT_MS);
    const listener = { isBehind: false };
    this.#room.add(socket, listener, {
      // Whatever it says, it asks for everything; with the next message, however often it asks.
      onMessage: () => {
        listener.isBehind = true;
        this.#tellSoon();
      },
      onLeave: () => this.#room.isEmpty && this.#rest(),
    });
  }

  close(): void {
    this.#room.close();
    this.#rest();
  }

  #rest(): void {
    this.#endTap?.();
    clearInterval(this.#beating);
    clearTimeout(this.#telling);
    this.#endTap = this.#beating = this.#telling = undefined;
    this.#sent.clear();
    this.#told.clear();
  }

  #hear({ ms, universes }: SentTick): void {
    this.#sentMs = ms;
    for (const [universe, slots] of universes) this.#sent.set(universe, slots);
    this.#tellSoon();
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#tell(this.#changes());
    }, this.#waitMs());
  }

  #waitMs(): number {
    return Math.max(0, this.#toldMs + (this.#host.tellMs ?? TELL_MS) - monotonicMs());
  }

  #tell(stretches: readonly SentStretch[]): void {
    this.#toldMs = monotonicMs();
    const changes = this.#message(false, stretches);
    let whole: Uint8Array | undefined;
    this.#room.tellEach(
      (listener) => {
        if (!listener.isBehind) return changes;
        listener.isBehind = false;
        return (whole ??= this.#whole());
      },
      (listener) => (listener.isBehind = true),
    );
  }

  #beat(): void {
    if (++this.#beats % BEATS_PER_WHOLE === 0) {
      this.#changes(); // they are in it
      this.#toldMs = monotonicMs();
      const whole = this.#whole();
      this.#room.tellEach(
        () => whole,
        (listener) => (listener.isBehind = true),
      );
    } else if (monotonicMs() - this.#toldMs >= BEAT_MS - TELL_MS) this.#tell(this.#changes());
  }

  /** From the first slot to the last one that is not what was told; it is told then. */
  #changes(): SentStretch[] {
    const stretches: SentStretch[] = [];
    for (const [universe, slots] of this.#sent) {
      const told = this.#told.get(universe);
      let first = 0;
      let last = SLOTS - 1;
      if (told) {
        while (first < SLOTS && told[first] === slots[first]) first++;
        while (last > first && told[last] === slots[last]) last--;
      }
      this.#told.set(universe, slots);
      if (first <= last) stretches.push({ universe, slot: first, values: slots.subarray(first, last + 1) });
    }
    return stretches;
  }

  /** Universes that go out nowhere any more are forgotten. */
  #whole(): Uint8Array {
    const there = new Set(this.#host.universes());
    for (const universe of this.#sent.keys()) {
      if (there.has(universe)) continue;
      this.#sent.delete(universe);
      this.#told.delete(universe);
    }
    return this.#message(
      true,
      [...there].map((universe) => ({ universe, slot: 0, values: this.#sent.get(universe) ?? NOTHING })),
    );
  }

  #message(isWhole: boolean, stretches: readonly SentStretch[]): Uint8Array {
    const { isSending, isPreview } = this.#host;
    return writeSentLamps({
      isWhole,
      isSending: isSending(),
      isPreview: isPreview(),
      ms: this.#sentMs,
      stretches,
    });
  }
}
