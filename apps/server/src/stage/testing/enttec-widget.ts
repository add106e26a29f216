import { monotonicMs } from "../outputs/frame-ring.ts";
import { PRO_LABEL, proMessage, ProReader } from "../packets/dmx-frames.ts";
import { openPty } from "./pty.ts";

/** An ENTTEC DMX USB Pro on a pseudo-terminal. */
export interface EnttecWidget {
  readonly path: string;
  /** Slots of every received frame, without the start code. */
  readonly frames: { readonly ms: number; readonly slots: Buffer }[];
  /** Labels of all received messages. */
  readonly labels: number[];
  close(): void;
}

/** @param deafTo number of first requests that it ignores */
export function plugInWidget({ deafTo = 0 } = {}): EnttecWidget {
  const pty = openPty();
  const reader = new ProReader();
  let asked = 0;
  const widget: EnttecWidget = { path: pty.path, frames: [], labels: [], close: pty.close };
  pty.onData((bytes) => {
    for (const { label, data } of reader.read(bytes)) {
      widget.labels.push(label);
      if (label === PRO_LABEL.sendDmx && data[0] === 0) {
        widget.frames.push({ ms: monotonicMs(), slots: data.subarray(1) });
      }
      if (label === PRO_LABEL.parameters && ++asked > deafTo) {
        pty.write(proMessage(PRO_LABEL.parameters, Uint8Array.of(1, 4, 9, 1, 40)));
      }
    }
  });
  return widget;
}
