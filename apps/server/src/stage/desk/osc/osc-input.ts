import { createSocket } from "node:dgram";
import {
  aimText,
  deskControlOf,
  deskValueProblem,
  isMomentary,
  TAP_BPM,
  type DeskKind,
  type DeskPress,
} from "@followspot/contract";
import type { Desk } from "../desk.ts";
import type { Presser } from "../desk-rules.ts";
import { readOsc, type OscMessage, type OscValue } from "./osc-packet.ts";

/**
 * Time after which a momentary control is released unless it is pressed again, ms: an OSC sender has no connection that
 * could be lost.
 */
const LET_GO_MS = 10_000;
const PREFIX = "/followspot/";
/** Strobe frequency of a button, which sends no number, Hz. */
const STROBE_HZ_OF_BUTTON = 2;
/** Longest time between two taps of one tempo, ms. */
const FORGET_TAP_MS = 2500;

export interface OscHealth {
  readonly port: number;
  readonly taken: number;
  /** Packets that were not OSC or not known to the desk. */
  readonly ignored: number;
}

export interface OscInput {
  health(): OscHealth;
  close(): void;
}

/** Listens for OSC and presses the controls it names. @throws Error if the port is not available */
export async function listenForOsc(
  desk: Desk,
  at: { readonly host: string; readonly port: number },
  warn: (line: string) => void,
  letGoMs = LET_GO_MS,
): Promise<OscInput> {
  const socket = createSocket(at.host.includes(":") ? "udp6" : "udp4");
  await new Promise<void>((ready, fail) => {
    socket.once("error", fail);
    socket.bind(at.port, at.host, ready);
  });
  socket.on("error", (error) => warn(`osc: ${error.message}`)); // the next packet may be fine
  const counted = { taken: 0, ignored: 0 };
  const waits = new Map<string, NodeJS.Timeout>();
  /** Time of each sender's last tap, by address. */
  const tapped = new Map<string, number>();

  const take = (message: OscMessage, by: Presser, sender: string): boolean => {
    if (controlOf(message) === "tap") {
      const [value] = message.values;
      if (value === false || (value !== undefined && numberOf(value) === 0)) return true; // release of a button
      const now = performance.now();
      for (const [other, ms] of tapped) if (now - ms > FORGET_TAP_MS) tapped.delete(other);
      const bpm = 60_000 / (now - (tapped.get(sender) ?? Number.NEGATIVE_INFINITY));
      const isTempo = bpm <= TAP_BPM.most && bpm >= TAP_BPM.least;
      tapped.set(sender, now);
      if (isTempo) desk.set("tempo", bpm, by);
      return true;
    }
    const press = pressOf(message);
    if (!press) return false;
    desk.set(press.control, press.value, by);
    const kind = deskControlOf(press.control)?.kind;
    if (kind === undefined || !isMomentary(kind)) return true;
    const key = `${by.connection} ${press.control}`;
    clearTimeout(waits.get(key));
    waits.delete(key);
    if (press.value === null) return true;
    const letGo = () => {
      waits.delete(key);
      desk.set(press.control, null, by);
    };
    waits.set(key, setTimeout(letGo, letGoMs).unref());
    return true;
  };

  socket.on("message", (packet, { address, port }) => {
    const by = { connection: `osc ${address} ${port}`, owner: "osc", ownerName: `OSC ${address}` };
    const messages = readOsc(packet);
    if (!messages) return void counted.ignored++;
    for (const message of messages) counted[take(message, by, address) ? "taken" : "ignored"]++;
  });
  return {
    health: () => ({ port: socket.address().port, ...counted }),
    close: () => {
      for (const wait of waits.values()) clearTimeout(wait);
      socket.close();
    },
  };
}

/**
 * Converts `/followspot/mute/front T` to a press: the control's key follows the prefix. Two numbers are a point, as a
 * two-dimensional pad sends it.
 *
 * @returns undefined if the desk has no such control, or not with this value
 */
export function pressOf(message: OscMessage): Pick<DeskPress, "control" | "value"> | undefined {
  const control = controlOf(message);
  if (control === undefined) return undefined;
  if (control === "give-back") return message.values.length > 1 ? undefined : { control: "all", value: null };
  const kind = deskControlOf(control)?.kind;
  const values = kind === "aim" ? pointOf(message.values) : message.values;
  const [value] = values;
  if (!kind || values.length > 1) return undefined;
  if (value === undefined || value === false || value === "") return { control, value: null };
  const pressed = deskValueOf(kind, value);
  if (pressed === null) return { control, value: null };
  return pressed === undefined || deskValueProblem(kind, pressed) !== undefined
    ? undefined
    : { control, value: pressed };
}

/** Returns the part of an address after the prefix, without a slash at its end. */
function controlOf({ address }: OscMessage): string | undefined {
  return address.startsWith(PREFIX) ? address.slice(PREFIX.length).replace(/\/$/, "") : undefined;
}

function pointOf(values: readonly OscValue[]): readonly OscValue[] {
  const [pan, tilt] = values;
  return values.length === 2 && typeof pan === "number" && typeof tilt === "number" ? [aimText({ pan, tilt })] : values;
}

/** Returns the value of the desk for an argument: null releases the control, undefined is no value of it. */
function deskValueOf(kind: DeskKind, value: number | string | true): DeskPress["value"] | undefined {
  const number = numberOf(value);
  switch (kind) {
    case "blackout":
    case "blinder":
    case "hold":
    case "mute":
    case "solo":
    case "identify":
    case "haze":
      return Number.isNaN(number) ? undefined : number > 0 || null;
    case "strobe":
      return value === true ? STROBE_HZ_OF_BUTTON : orRelease(number);
    case "size":
    case "tempo":
      return value === true ? undefined : orRelease(number);
    case "master":
      return value === true ? undefined : number;
    default:
      return value === true ? undefined : value;
  }
}

const orRelease = (number: number): number | null => (number === 0 ? null : number);

/** Returns the number in an argument, also in a text, as some senders write it; 1 for a button, NaN for other text. */
function numberOf(value: OscValue): number {
  return typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
}
