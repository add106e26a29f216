import type { ForeignSource, Output } from "@followspot/contract";
import { DEFAULT_PRIORITY } from "../packets/sacn-packet.ts";

/**
 * Time after its last packet for which a source counts as present, ms; sources that announce themselves do so every 10
 * s.
 */
const SILENT_MS = 12_000;
/** Limit of tracked sources, because any machine may send; further sources are ignored. */
const MAX_SOURCES = 512;

export interface HeardSource {
  readonly protocol: "artnet" | "sacn";
  /** Identity: a CID, or an address if there is none. */
  readonly key: string;
  readonly address: string;
  readonly name: string;
  readonly portAddress: number;
  readonly priority: number | undefined;
}

/** Other senders to our universes. Time is an argument; the caller has the sockets. */
export class ForeignSources {
  readonly #sources = new Map<string, HeardSource & { readonly seenMs: number }>();

  heard(source: HeardSource, nowMs: number): void {
    const key = keyOf(source);
    const known = this.#sources.get(key);
    if (!known && this.#sources.size >= MAX_SOURCES) this.#forget(nowMs);
    if (!known && this.#sources.size >= MAX_SOURCES) return;
    // An announcement has no priority; the data packets have.
    this.#sources.set(key, { ...source, priority: source.priority ?? known?.priority, seenMs: nowMs });
  }

  /** Removes a source that has announced its end. */
  left(source: HeardSource): void {
    this.#sources.delete(keyOf(source));
  }

  /** Returns the sources on the universes of `outputs`. */
  list(outputs: readonly Output[], nowMs: number): ForeignSource[] {
    this.#forget(nowMs);
    return [...this.#sources.values()].flatMap((source) => {
      const { protocol, address, name, portAddress, priority } = source;
      const met = outputs.filter((output) => output.protocol === protocol && output.portAddress === portAddress);
      if (met.length === 0) return [];
      const ours = Math.max(...met.map((output) => output.priority ?? DEFAULT_PRIORITY));
      return {
        protocol,
        address,
        name,
        port_address: portAddress,
        ...(priority !== undefined && { priority }),
        universes: [...new Set(met.map(({ universe }) => universe))].sort((a, b) => a - b),
        seen_at: new Date(Date.now() - (nowMs - source.seenMs)).toISOString(),
        advice: protocol === "artnet" ? ARTNET_ADVICE : sacnAdvice(priority, ours),
      };
    });
  }

  #forget(nowMs: number): void {
    for (const [key, { seenMs }] of this.#sources) if (nowMs - seenMs > SILENT_MS) this.#sources.delete(key);
  }
}

const ARTNET_ADVICE =
  "Nodes merge the two: the brighter value wins, slot by slot. Stop the other source, or give it another port address.";

function sacnAdvice(theirs: number | undefined, ours: number): string {
  if (theirs === undefined || theirs === ours) {
    return "It has our priority: receivers merge the two or flicker between them. Stop it, or set another priority.";
  }
  if (theirs > ours) {
    return `Its priority ${theirs} is above our ${ours}: receivers show it and not us. Stop it, or raise our priority.`;
  }
  return `Its priority ${theirs} is below our ${ours}: it stands by and is shown when we stop.`;
}

function keyOf({ protocol, key, portAddress }: HeardSource): string {
  return `${protocol} ${key} ${portAddress}`;
}
