/*
 * Frames for USB adapters. ENTTEC DMX USB Pro and compatible adapters generate the DMX signal and accept whole frames
 * in messages ("DMX USB Pro Widget API Specification 1.44"). Bare adapters of the Open DMX kind are only a serial line.
 */
import { UNIVERSE_SLOTS } from "@followspot/contract";

const MESSAGE_START = 0x7e;
const MESSAGE_END = 0xe7;
const HEAD_BYTES = 4;
export const PRO_LABEL = { parameters: 3, sendDmx: 6 } as const;
/** Largest message of the interface, bytes. */
const MAX_MESSAGE = 600;

/** Creates a message of the DMX USB Pro: start, label, length, data, end. */
export function proMessage(label: number, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + data.length + 1);
  bytes[0] = MESSAGE_START;
  bytes[1] = label;
  bytes.writeUInt16LE(data.length, 2);
  bytes.set(data, HEAD_BYTES);
  bytes[bytes.length - 1] = MESSAGE_END;
  return bytes;
}

/** "Output Only Send DMX": start code 0 and all slots. */
export class EnttecProFrame {
  readonly bytes = proMessage(PRO_LABEL.sendDmx, new Uint8Array(1 + UNIVERSE_SLOTS));
  readonly slots = this.bytes.subarray(HEAD_BYTES + 1, HEAD_BYTES + 1 + UNIVERSE_SLOTS);

  next(): Buffer {
    return this.bytes;
  }
}

/** Start code 0 and all slots, as sent on the line after a break. */
export class OpenDmxFrame {
  readonly bytes = Buffer.alloc(1 + UNIVERSE_SLOTS);
  readonly slots = this.bytes.subarray(1);

  next(): Buffer {
    return this.bytes;
  }
}

export interface ProMessage {
  readonly label: number;
  readonly data: Buffer;
}

/** Extracts complete messages from a widget's output, in pieces of any length; invalid bytes are skipped. */
export class ProReader {
  #rest = Buffer.alloc(0);

  read(piece: Uint8Array): ProMessage[] {
    let rest = Buffer.concat([this.#rest, piece]);
    const messages: ProMessage[] = [];
    for (;;) {
      const start = rest.indexOf(MESSAGE_START);
      rest = start < 0 ? Buffer.alloc(0) : rest.subarray(start);
      if (rest.length < HEAD_BYTES) break;
      const length = rest.readUInt16LE(2);
      const end = HEAD_BYTES + length;
      const isMessage = length <= MAX_MESSAGE && (rest.length <= end || rest[end] === MESSAGE_END);
      if (isMessage && rest.length <= end) break; // the rest has not arrived yet
      if (isMessage) messages.push({ label: rest[1]!, data: Buffer.from(rest.subarray(HEAD_BYTES, end)) });
      rest = rest.subarray(isMessage ? end + 1 : 1);
    }
    this.#rest = rest;
    return messages;
  }
}
