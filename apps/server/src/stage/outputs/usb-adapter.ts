import { setTimeout as sleep } from "node:timers/promises";
import type { BindingPortInterface } from "@serialport/bindings-cpp";
import { PRO_LABEL, proMessage, ProReader } from "../packets/dmx-frames.ts";
import { deviceToOpen, listUsbDevices } from "./usb-devices.ts";
import { UsbError } from "./usb-failure.ts";

/**
 * Interval between requests to a DMX USB Pro, ms. It answers within milliseconds, but a request right after opening may
 * be lost.
 */
const ASK_MS = 60;
const ANSWER_MS = 500;
/** DMX512 is 250 kbit/s, eight bits, two stop bits. */
const DMX_BAUD = 250_000;
/** A zero sent at this rate is a break of 118 µs, and its stop bits are the mark after it: any adapter can do that. */
const BREAK_BAUD = 76_800;
const BREAK = Buffer.of(0);

/** An open adapter. */
export interface Adapter {
  /** Starts to send one frame; resolves when the next may follow. */
  readonly write: (frame: Buffer) => Promise<void>;
  /** Rejects when the device disappears. */
  readonly failed: Promise<never>;
  readonly close: () => Promise<void>;
}

/** @throws Error if the adapter cannot be opened or does not answer as the expected type */
export async function openAdapter(
  protocol: "enttec_pro" | "open_dmx",
  device: string,
  serial: string,
): Promise<Adapter> {
  // Loaded only here: its native code stays out of every other process.
  const { autoDetect } = await import("@serialport/bindings-cpp");
  const path = deviceToOpen(device, serial, await listUsbDevices());
  const port = await autoDetect().open({ path, baudRate: DMX_BAUD, dataBits: 8, stopBits: 2 });
  const heard = new ProReader();
  let isAnswered = false;
  const failed = listen(port, (piece) => {
    isAnswered ||= heard.read(piece).some(({ label }) => label === PRO_LABEL.parameters);
  });
  failed.catch(() => undefined); // the adapter's process handles it as well
  try {
    if (protocol === "enttec_pro") {
      for (const asked = performance.now(); !isAnswered;) {
        if (performance.now() - asked > ANSWER_MS)
          throw new UsbError(
            `The device at ${path} does not answer as a DMX USB Pro. If it is a bare adapter, set its output to Open DMX.`,
          );
        await port.write(proMessage(PRO_LABEL.parameters, new Uint8Array(2)));
        const askAgain = performance.now() + ASK_MS;
        while (!isAnswered && performance.now() < askAgain) await Promise.race([failed, sleep(10)]);
      }
    }
  } catch (error) {
    await port.close().catch(() => undefined); // the original error is reported
    throw error;
  }
  return {
    write: protocol === "enttec_pro" ? (frame) => port.write(frame) : (frame) => writeWithBreak(port, frame),
    failed,
    close: async () => {
      if (!port.isOpen) return;
      await Promise.race([port.drain(), sleep(100)]).catch(() => undefined); // it may be unplugged
      await port.close().catch(() => undefined);
    },
  };
}

async function writeWithBreak(port: BindingPortInterface, frame: Buffer): Promise<void> {
  await port.update({ baudRate: BREAK_BAUD });
  await port.write(BREAK);
  await port.drain();
  await port.update({ baudRate: DMX_BAUD });
  await port.write(frame);
  await port.drain();
}

/** Reads everything the device sends, so that nothing piles up. Rejects when the device disappears. */
async function listen(port: BindingPortInterface, hear: (piece: Uint8Array) => void): Promise<never> {
  const buffer = Buffer.alloc(1024);
  for (;;) {
    const { bytesRead } = await port.read(buffer, 0, buffer.length);
    hear(buffer.subarray(0, bytesRead));
  }
}
