import { writeSync } from "node:fs";
import type { ReadStream } from "node:tty";
import * as nodePty from "@lydell/node-pty";

/** A pair of serial ports: the product opens `path`, the test plays the device at the other end. */
export interface Pty {
  readonly path: string;
  readonly onData: (hear: (bytes: Buffer) => void) => void;
  readonly write: (bytes: Uint8Array) => void;
  /** Unplugs the device. */
  readonly close: () => void;
}

/** Result of node-pty's `open`, which its types omit: both ends as streams, and the path of one. */
interface OpenedPty {
  readonly _master: ReadStream;
  readonly _slave: ReadStream;
  readonly _pty: string;
  readonly _fd: number;
}

const { open } = nodePty as unknown as { open: (options: { encoding: null }) => OpenedPty };

export function openPty(): Pty {
  const pty = open({ encoding: null }); // without an encoding it returns bytes
  pty._slave.pause(); // the product reads there
  pty._master.on("error", () => undefined); // the error of an unplugged device
  return {
    path: pty._pty,
    onData: (hear) => void pty._master.on("data", hear),
    write: (bytes) => void writeSync(pty._fd, bytes),
    close: () => {
      pty._master.destroy();
      pty._slave.destroy();
    },
  };
}
