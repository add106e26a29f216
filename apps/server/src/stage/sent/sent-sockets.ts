import { writeSentLamps, type SentStretch } from "@followspot/contract";
import type { WebSocket } from "ws";
import { monotonicMs, SLOTS } from "../outputs/frame-ring.ts";
import type { SentTick } from "../outputs/sent-tap.ts";
import { SocketRoom } from "../sockets/socket-room.ts";

/** Shortest time between two messages, ms: every second tick of the outputs. */
const TELL_MS = 45;
const BEAT_MS = 1000;
/** Heartbeats between two complete messages, which limit how long an error can last. */
const BEATS_PER_WHOLE = 4;

export interface SentHost {
  /** Reports every sent tick: whole universes first, then changes. @returns function that ends it */
  readonly tap: (onSent: (sent: SentTick) => void) => () => void;
  readonly isSending: () => boolean;
  /** Whether no output is set up, so that the slots would be sent. */
  readonly isPreview: () => boolean;
  /** Universes that are sent or previewed. */
  readonly universes: () => readonly number[];
  /** Shorter in tests. */
  readonly tellMs?: number;
}

/** Slots of a universe without data yet. */
const NOTHING = new Uint8Array(0);

interface Listener {
  /** Whether it has missed something, so that the next message is a complete one. */
  isBehind: boolean;
}

/** Serves all connections on `/lights/lamps`, which receive the sent slots. Without a connection no frame is read. */
export class SentSockets {
  readonly #host: SentHost;
  readonly #room = new SocketRoom<Listener, Uint8Array>({
    stateFor: () => this.#whole(),
    mostBufferedBytes: 65_536,
    slowReader: "misses messages",
    write: (message) => message,
  });
  /** Slots sent last, and those reported to clients. */
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
      // Any message requests a complete state, sent with the next message however often it is requested.
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
      this.#changes(); // included in the complete message
      this.#toldMs = monotonicMs();
      const whole = this.#whole();
      this.#room.tellEach(
        () => whole,
        (listener) => (listener.isBehind = true),
      );
    } else if (monotonicMs() - this.#toldMs >= BEAT_MS - TELL_MS) this.#tell(this.#changes());
  }

  /** Returns the range from the first to the last changed slot of each universe, and marks it as reported. */
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

  /** Builds a complete message; universes that are no longer sent are removed. */
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
