import { setTimeout as sleep } from "node:timers/promises";
import { openAdapter, type Adapter } from "./usb-adapter.ts";
import { usbFailure } from "./usb-failure.ts";
import type { UsbChildMessage, UsbChildOrder } from "./usb-path.ts";

/*
 * The program of one USB adapter: node usb-child.ts PROTOCOL DEVICE SERIAL, started by usb-path.ts. It opens the
 * adapter, retries after each failure, writes the frames it receives, and ends with its parent.
 */

/** Delay between attempts to open, ms: a replugged adapter is lit within a second. */
const RETRY_MS = 200;

const [protocol, device = "", serial = ""] = process.argv.slice(2);
let frame: Uint8Array | undefined;
let isClosing = false;
/** Failure reported last, because a missing adapter fails five times a second. */
let lastFailure = "";
let wake: () => void = () => undefined;

process.on("disconnect", () => process.exit(0));
process.on("SIGTERM", () => process.exit(0));
// Ctrl-C and the end of a terminal reach the whole process group: the parent ends this process after the dark look.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("message", (order: UsbChildOrder) => {
  if ("frame" in order) frame = order.frame;
  else isClosing = true;
  wake();
});

while (!isClosing) {
  try {
    await serve(await openAdapter(protocol === "open_dmx" ? "open_dmx" : "enttec_pro", device, serial));
  } catch (error) {
    frame = undefined;
    const failure = usbFailure(error, device);
    if (failure !== lastFailure) tell({ kind: "failed", failure });
    lastFailure = failure;
    if (!isClosing) await sleep(RETRY_MS);
  }
}
process.exit(0);

async function serve(adapter: Adapter): Promise<void> {
  frame = undefined;
  lastFailure = "";
  tell({ kind: "open" });
  try {
    await Promise.race([adapter.failed, write(adapter)]);
  } finally {
    await adapter.close();
  }
}

async function write(adapter: Adapter): Promise<void> {
  for (;;) {
    const next = frame;
    frame = undefined;
    if (next) {
      await adapter.write(Buffer.from(next));
      tell({ kind: "sent" });
    } else if (isClosing) return;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}

function tell(message: UsbChildMessage): void {
  if (process.connected) process.send?.(message);
}
