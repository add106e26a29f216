import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { deviceToOpen, listUsbDevices } from "./usb-devices.ts";
import { usbFailure } from "./usb-failure.ts";
import { folderUntil } from "../../testing/open-until.ts";

let sys: string;
beforeEach(async () => void (sys = await folderUntil(onTestFinished)));

/** Creates the files of a port as on Linux: the descriptors are above it, at the USB device. */
async function plugIn(name: string, descriptors: Readonly<Record<string, string>>): Promise<void> {
  const usb = join(sys, "devices", `usb-${name}`);
  const port = join(usb, "1-1:1.0", name);
  await mkdir(port, { recursive: true });
  await mkdir(join(sys, "tty", name), { recursive: true });
  for (const [file, text] of Object.entries(descriptors)) await writeFile(join(usb, file), `${text}\n`);
  await symlink(port, join(sys, "tty", name, "device"));
}

// Linux only: on other systems the serial library lists the ports.
describe.runIf(process.platform === "linux")("USB adapters", () => {
  it("are listed by their descriptors", async () => {
    await plugIn("ttyUSB10", { idVendor: "0403", manufacturer: "FTDI", product: "FT232R USB UART", serial: "A50" });
    await plugIn("ttyUSB2", {
      idVendor: "0403",
      manufacturer: "ENTTEC",
      product: "DMX USB PRO",
      serial: "EN1\u001b[2J",
    });
    await plugIn("ttyACM0", { idVendor: "2341" });
    await plugIn("ttyUSB3", {});
    await plugIn("ttyS0", { idVendor: "0000" });
    expect(await listUsbDevices(join(sys, "tty"))).toEqual([
      { path: "/dev/ttyACM0", name: "/dev/ttyACM0", serial: "", protocol: "open_dmx" },
      { path: "/dev/ttyUSB2", name: "ENTTEC DMX USB PRO", serial: "EN1[2J", protocol: "enttec_pro" },
      { path: "/dev/ttyUSB10", name: "FTDI FT232R USB UART", serial: "A50", protocol: "open_dmx" },
    ]);
    expect(await listUsbDevices(join(sys, "nowhere"))).toEqual([]);
  });
});

describe("the adapter of an output", () => {
  const at = (path: string, serial: string) => ({ path, serial, name: "Widget", protocol: "enttec_pro" as const });

  it("is found by its serial number at any socket", () => {
    const found = [at("/dev/ttyUSB0", "OTHER"), at("/dev/ttyUSB1", "EN1")];
    expect(deviceToOpen("/dev/ttyUSB0", "EN1", found)).toBe("/dev/ttyUSB1");
    expect(deviceToOpen("/dev/ttyUSB7", "", found)).toBe("/dev/ttyUSB7");
    expect(deviceToOpen("/dev/ttyUSB0", "EN1", [])).toBe("/dev/ttyUSB0");
  });

  it("is never another adapter at its path", () => {
    expect(() => deviceToOpen("/dev/ttyUSB0", "EN1", [at("/dev/ttyUSB0", "EN2")])).toThrow(/is another USB adapter/);
  });

  it("is identified by its path if another one has the same number, and never guessed", () => {
    const found = [at("/dev/ttyUSB0", "EN1"), at("/dev/ttyUSB1", "EN1")];
    expect(deviceToOpen("/dev/ttyUSB1", "EN1", found)).toBe("/dev/ttyUSB1");
    expect(() => deviceToOpen("/dev/ttyUSB5", "EN1", found)).toThrow(/one serial number, EN1/);
  });
});

it.each([
  ["Error: No such file or directory, cannot open /dev/x", "There is no USB adapter at /dev/x. Plug it in."],
  ["Error: Permission denied, cannot open /dev/x", "dialout"],
  ["Error Resource temporarily unavailable Cannot lock port", "Another program uses /dev/x"],
  ["Error: Inappropriate ioctl for device, cannot open /dev/x", "is no serial port"],
  ["EIO: i/o error, write", "The USB adapter at /dev/x failed (EIO: i/o error, write)"],
])("explains %s in a sentence", (text, sentence) => {
  expect(usbFailure(new Error(text), "/dev/x")).toContain(sentence);
});
