import { readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { UsbDevice } from "@followspot/contract";
import { plainText } from "../packets/plain-text.ts";
import { UsbError } from "./usb-failure.ts";

/** Folder in which Linux lists every serial port. */
const TTYS = "/sys/class/tty";
/** Names of USB serial ports; the other ports are built in. */
const USB_TTY = /^tty(?:USB|ACM)\d+$/;
/** Levels from the port up to its USB device. */
const MAX_DEPTH = 6;

interface Descriptors {
  readonly path: string;
  readonly manufacturer: string;
  readonly product: string;
  readonly serial: string;
}

/**
 * Lists USB serial ports by their descriptors. On Linux they are files; elsewhere the serial library queries the
 * system.
 */
export async function listUsbDevices(ttys = TTYS): Promise<UsbDevice[]> {
  const found = process.platform === "linux" ? await listByFiles(ttys) : await listByLibrary();
  return found
    .map(({ path, manufacturer, product, serial }) => ({
      path,
      serial,
      name: [manufacturer, product].filter((word) => word !== "").join(" ") || path,
      protocol: isPro(`${manufacturer} ${product}`) ? ("enttec_pro" as const) : ("open_dmx" as const),
    }))
    .sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));
}

/**
 * Returns the current path of an adapter: found by its serial number at any socket, otherwise by its path.
 * @throws UsbError if two adapters have the number and neither is at `device`, or another adapter is there
 */
export function deviceToOpen(device: string, serial: string, found: readonly UsbDevice[]): string {
  if (serial === "") return device;
  const same = found.filter((other) => other.serial === serial);
  const there = same.find(({ path }) => path === device);
  if (there) return there.path;
  const [only, second] = same;
  if (only && second) {
    const paths = same.map(({ path }) => path).join(" and ");
    throw new UsbError(
      `The USB adapters at ${paths} have one serial number, ${serial}. Choose which of them is meant.`,
    );
  }
  if (only) return only.path;
  const other = found.find(({ path }) => path === device);
  if (other) throw new UsbError(`At ${device} is another USB adapter, ${other.name} ${other.serial}`.trim() + ".");
  return device;
}

/** Whether it is a DMX USB Pro or compatible: their names contain PRO; bare adapters have the name of their chip. */
function isPro(name: string): boolean {
  return /enttec|dmxking|\bpro\b|ultradmx/i.test(name) && !/open/i.test(name);
}

async function listByFiles(ttys: string): Promise<Descriptors[]> {
  const names = await readdir(ttys).catch(() => []); // no such folder: no serial port
  const found = names.filter((name) => USB_TTY.test(name)).map((name) => describe(ttys, name));
  return (await Promise.all(found)).filter((device) => device !== undefined);
}

async function describe(ttys: string, name: string): Promise<Descriptors | undefined> {
  try {
    let folder = await realpath(join(ttys, name, "device"));
    for (let depth = 0; depth < MAX_DEPTH; depth++, folder = dirname(folder)) {
      if ((await textIn(folder, "idVendor")) === "") continue;
      const [manufacturer, product, serial] = await Promise.all(
        ["manufacturer", "product", "serial"].map((file) => textIn(folder, file)),
      );
      return { path: `/dev/${name}`, manufacturer: manufacturer!, product: product!, serial: serial! };
    }
    return undefined;
  } catch {
    return undefined; // just unplugged
  }
}

/** Reads a descriptor; "" if the device has none. */
async function textIn(folder: string, file: string): Promise<string> {
  const text = await readFile(join(folder, file), "utf8").catch(() => "");
  return plainText(text).slice(0, 100);
}

async function listByLibrary(): Promise<Descriptors[]> {
  try {
    const { autoDetect } = await import("@serialport/bindings-cpp");
    const ports = await autoDetect().list();
    return ports
      .filter(({ vendorId }) => vendorId !== undefined)
      .map(({ path, manufacturer = "", serialNumber = "" }) => ({
        path,
        manufacturer,
        product: "",
        serial: serialNumber,
      }));
  } catch {
    return []; // not installed: the output that needs it reports the problem
  }
}
