import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { asHelper } from "../../platform/process/helper-account.ts";
import { environmentOf, plainEnvironment } from "../../platform/process/programs.ts";

/** Input formats of ffmpeg for sound devices. */
export const DEVICE_KINDS = ["alsa", "pulse", "jack", "avfoundation", "dshow"] as const;
const DEVICE = new RegExp(`^(${DEVICE_KINDS.join("|")}):(.+)$`);
export const DEVICE_RATE = 44_100;
const RETRY_MS = 1000;
const MAX_COMPLAINT = 300;

/** A sound device as named in the settings: `alsa:hw:1`, `avfoundation::0`, `dshow:audio=Line In`. */
export interface DeviceName {
  readonly kind: string;
  readonly name: string;
}

/** Parses a device name; undefined if it is invalid. */
export function readDeviceName(text: string): DeviceName | undefined {
  const [, kind, name] = DEVICE.exec(text) ?? [];
  return kind && name ? { kind, name } : undefined;
}

export interface SoundDevicePorts {
  readonly onSound: (samples: Int16Array) => void;
  /** Receives the problem as a sentence for users; "" once sound arrives. */
  readonly onProblem: (problem: string) => void;
}

/**
 * Reads a sound device of this machine with ffmpeg, which is restarted one second after it ends for whatever reason.
 */
export class SoundDevice {
  readonly #ffmpeg: string;
  readonly #input: readonly string[];
  readonly #ports: SoundDevicePorts;
  #child: ChildProcess | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param input ffmpeg's arguments that select the input */
  constructor(ffmpeg: string, input: readonly string[], ports: SoundDevicePorts) {
    this.#ffmpeg = ffmpeg;
    this.#input = input;
    this.#ports = ports;
    this.#start();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#child?.kill("SIGKILL");
  }

  #start(): void {
    const args = [
      ...["-nostdin", "-v", "error", "-fflags", "nobuffer", "-probesize", "32", "-analyzeduration", "0"],
      ...this.#input,
      ...["-ac", "1", "-ar", String(DEVICE_RATE), "-f", "s16le", "-flush_packets", "1", "pipe:1"],
    ];
    const start = asHelper(this.#ffmpeg, args, { groups: soundGroups() });
    const child = (this.#child = spawn(start.command, start.args, {
      ...start.rights,
      env: soundEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    }));
    let complaint = "";
    let rest = Buffer.alloc(0);
    let isHeard = false;
    child.stdout?.on("data", (bytes: Buffer) => {
      if (!isHeard) this.#ports.onProblem("");
      isHeard = true;
      const all = Buffer.concat([rest, bytes]);
      const whole = all.length & ~1;
      rest = all.subarray(whole);
      // A copy, so that 16-bit numbers are aligned.
      this.#ports.onSound(new Int16Array(new Uint8Array(all.subarray(0, whole)).buffer));
    });
    child.stderr?.on("data", (text: Buffer) => (complaint = `${complaint}${String(text)}`.slice(-MAX_COMPLAINT)));
    child.once("error", (error) => (complaint = error.message));
    child.once("close", () => {
      if (this.#isClosed) return;
      const why = complaint.trim().split("\n").at(-1) ?? "";
      this.#ports.onProblem(`The sound device gives no sound${why === "" ? "" : `: ${why}`}`);
      this.#retry = setTimeout(() => this.#start(), RETRY_MS);
    });
  }
}

/** Returns the group IDs that may use the sound devices of this machine. */
function soundGroups(): readonly number[] {
  try {
    return [...new Set(readdirSync("/dev/snd").map((name) => statSync(join("/dev/snd", name)).gid))].filter(Boolean);
  } catch {
    return []; // no device files
  }
}

/** Environment to find this account's sound server, without our secrets. */
const soundEnvironment = () => ({
  ...plainEnvironment(),
  ...environmentOf(["HOME", "XDG_RUNTIME_DIR", "PULSE_SERVER", "PULSE_COOKIE", "JACK_DEFAULT_SERVER"]),
});

export function inputOf({ kind, name }: DeviceName): readonly string[] {
  return ["-f", kind, "-i", name];
}
