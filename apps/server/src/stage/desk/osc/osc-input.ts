import { createSocket } from "node:dgram";
import { deskControlOf, deskValueProblem, isMomentary, TAP_BPM, type DeskPress } from "@followspot/contract";
import type { Desk } from "../desk.ts";
import type { Presser } from "../desk-rules.ts";
import { readOsc, type OscMessage } from "./osc-packet.ts";

/**
 * Time after which a momentary control is released unless it is pressed again, ms: an OSC sender has no connection that
 * could be lost.
 */
const LET_GO_MS = 10_000;
const PREFIX = "/followspot/";
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
    if (message.address === `${PREFIX}tap`) {
      if (message.values[0] === 0 || message.values[0] === false) return true; // release of a button
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
 * Converts `/followspot/mute/front T` to a press: the control's key follows the prefix. Undefined if the desk has no
 * such control.
 */
export function pressOf({ address, values }: OscMessage): Pick<DeskPress, "control" | "value"> | undefined {
  if (!address.startsWith(PREFIX) || values.length > 1) return undefined;
  const control = address.slice(PREFIX.length);
  if (control === "give-back") return { control: "all", value: null };
  const kind = deskControlOf(control)?.kind;
  if (!kind) return undefined;
  const [value] = values;
  if (value === undefined || value === false || value === "") return { control, value: null };
  switch (kind) {
    case "blackout":
    case "blinder":
    case "hold":
    case "mute":
    case "solo":
    case "identify":
    case "haze":
      if (typeof value === "string" || Number.isNaN(value)) return undefined;
      return { control, value: value === true || Number(value) > 0 ? true : null };
    case "strobe":
      if (value === true) return { control, value: 2 };
      return value === 0 ? { control, value: null } : checked(control, value);
    case "size":
    case "tempo":
      return value === 0 ? { control, value: null } : checked(control, value);
    default:
      return checked(control, value);
  }

  function checked(key: string, given: number | string | boolean): Pick<DeskPress, "control" | "value"> | undefined {
    if (typeof given === "boolean" || !kind || deskValueProblem(kind, given) !== undefined) return undefined;
    return { control: key, value: given };
  }
}
