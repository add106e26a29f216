/** Where sound goes. */
export type OutputKind = "alsa" | "pulse" | "pipewire" | "file";

export interface SoundOutput {
  readonly kind: OutputKind;
  /** As the kind names it; "" for its usual one. Of a file its path. */
  readonly device: string;
}

/** What a full pipe holds, ms. */
const PIPE_MS = 160;
/** What programs and sound servers are asked to hold at most, ms. */
export const DEVICE_MS = 100;

/** @param text checked by the settings: "pulse", "alsa:hw:0", "file:/path.wav" */
export function readOutput(text: string): SoundOutput {
  const [kind = "", ...device] = text.split(":");
  return { kind: kind as OutputKind, device: device.join(":") };
}

/** From the hand-over of sound to the ears, until a person sets another delay. */
export const usualDelayMs = ({ kind }: SoundOutput): number => (kind === "file" ? 0 : PIPE_MS + DEVICE_MS);

/** What people call it. */
export const nameOfOutput = ({ kind, device }: SoundOutput): string =>
  kind === "file" ? "Sound file" : `This machine (${device === "" ? kind : `${kind} ${device}`})`;
