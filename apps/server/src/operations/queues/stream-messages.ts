import type { StoredMsg } from "@nats-io/jetstream";

/** A stored message, read: JSON, else text, else bytes alone. */
export interface ReadMessage {
  readonly sequence: number;
  readonly subject: string;
  readonly at: Date;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly bytes: Uint8Array;
  /** Undefined where it is no JSON. */
  readonly json: unknown;
  /** Undefined where it is no UTF-8. */
  readonly text: string | undefined;
}

export function readMessage({ seq, subject, time, header, data }: StoredMsg): ReadMessage {
  const text = textOf(data);
  return {
    sequence: seq,
    subject,
    at: time,
    headers: header.keys().flatMap((name) => header.values(name).map((value) => ({ name, value }))),
    bytes: data,
    json: text === undefined ? undefined : jsonOf(text),
    text,
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(bytes);
    // Control characters are of no use to a reader.
    return /[^\P{Cc}\s]/u.test(text) ? undefined : text;
  } catch {
    return undefined; // not UTF-8
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not JSON
  }
}
