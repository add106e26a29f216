/** Sound system of an output. */
export type OutputKind = "alsa" | "pulse" | "pipewire" | "file";

export interface SoundOutput {
  readonly kind: OutputKind;
  /** Device name in the sound system; "" for its default. For a file, its path. */
  readonly device: string;
}

/** Sound buffered in a full pipe, ms. */
const PIPE_MS = 160;
/** Largest buffer requested of programs and sound servers, ms. */
export const DEVICE_MS = 100;

/** @param text validated by the settings: "pulse", "alsa:hw:0", "file:/path.wav" */
export function readOutput(text: string): SoundOutput {
  const [kind = "", ...device] = text.split(":");
  return { kind: kind as OutputKind, device: device.join(":") };
}

/** Returns the default delay from writing sound to hearing it, until a user sets another one. */
export const usualDelayMs = ({ kind }: SoundOutput): number => (kind === "file" ? 0 : PIPE_MS + DEVICE_MS);

/** Returns the display name of an output. */
export const nameOfOutput = ({ kind, device }: SoundOutput): string =>
  kind === "file" ? "Sound file" : `This machine (${device === "" ? kind : `${kind} ${device}`})`;
