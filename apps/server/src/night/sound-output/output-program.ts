import { askProgram } from "../../songs/audio/ask-program.ts";
import { findOnPath } from "../../platform/process/programs.ts";
import { DEVICE_MS, type SoundOutput } from "./output-kind.ts";

/** A program that plays its input: 32-bit floats, left and right interleaved. */
export interface OutputProgram {
  readonly path: string;
  readonly args: readonly string[];
}

const ASK_MS = 5000;

/** @returns the program, or a sentence that names what is missing */
export async function findOutputProgram(
  { kind, device }: SoundOutput,
  rate: number,
  ffmpeg: string | undefined,
): Promise<OutputProgram | string> {
  const named = (...before: readonly string[]) => (device === "" ? [] : [...before, device]);
  const sound = ["-nostdin", "-hide_banner", "-loglevel", "error", "-f", "f32le", "-ar", String(rate), "-ac", "2"];
  const read = [...sound, "-probesize", "32", "-analyzeduration", "0", "-i", "pipe:0"];
  // Not every sound card supports the rate of songs.
  const write = ["-ar", "48000", "-f", kind];
  if (kind === "alsa" && (await hasOutput(ffmpeg, "alsa"))) return { path: ffmpeg!, args: [...read, ...write, device] };
  if (kind === "pulse" && (await hasOutput(ffmpeg, "pulse")))
    return { path: ffmpeg!, args: [...read, ...write, "-buffer_duration", String(DEVICE_MS), ...named("-device"), "Followspot"] }; // prettier-ignore
  const own = OWN[kind];
  if (!own) return `This machine has no program for the sound output ${kind}.`;
  const path = await findOnPath(own.name);
  if (path === undefined)
    return `Sound cannot leave this machine: ${own.name} is not on it, and no ffmpeg with an output for ${kind}. Install ${own.from}.`;
  return { path, args: own.args(String(rate), named(own.names)) };
}

/** Program of each sound system. */
const OWN: Readonly<
  Record<
    string,
    {
      readonly name: string;
      readonly from: string;
      /** Option that precedes a device. */
      readonly names: string;
      readonly args: (rate: string, device: readonly string[]) => readonly string[];
    }
  >
> = {
  alsa: {
    name: "aplay",
    from: "alsa-utils or ffmpeg",
    names: "-D",
    args: (rate, device) => ["-q", "-t", "raw", "-f", "FLOAT_LE", "-r", rate, "-c", "2", `--buffer-time=${DEVICE_MS * 1000}`, ...device], // prettier-ignore
  },
  pulse: {
    name: "pacat",
    from: "pulseaudio-utils or ffmpeg",
    names: "-d",
    args: (rate, device) => ["--playback", "--raw", "--format=float32le", `--rate=${rate}`, "--channels=2", `--latency-msec=${DEVICE_MS}`, ...device], // prettier-ignore
  },
  pipewire: {
    name: "pw-cat",
    from: "pipewire (pipewire-bin)",
    names: "--target",
    args: (rate, device) => ["--playback", "--raw", "--format=f32", `--rate=${rate}`, "--channels=2", `--latency=${DEVICE_MS}ms`, ...device, "-"], // prettier-ignore
  },
};

async function hasOutput(ffmpeg: string | undefined, kind: string): Promise<boolean> {
  if (ffmpeg === undefined) return false;
  const asked = await askProgram(ffmpeg, ["-hide_banner", "-devices"], ASK_MS);
  // " DE alsa            ALSA audio output"
  return "text" in asked && new RegExp(`^ ?[D ]E\\s+(\\S+,)*${kind}(,|\\s)`, "m").test(asked.text);
}
