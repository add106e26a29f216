import { SOUND_RATE } from "@followspot/contract";
import { openSoundInput, type SoundBlock } from "../../sound-input/sound-input.ts";

/** Reason why the microphone is unavailable; each has a message with the next step. */
export type MicrophoneProblem = "insecure" | "denied" | "none" | "busy" | "rate" | "unplugged" | "broken";

export class MicrophoneError extends Error {
  readonly problem: MicrophoneProblem;

  constructor(problem: MicrophoneProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

export interface Microphone {
  /** Device name from the browser; "" if unknown. */
  readonly label: string;
  readonly sampleRate: number;
  readonly latencyMs: number;
  close(): void;
}

export interface MicrophonePorts {
  /** Called with 16-bit mono samples, about 10 ms each. */
  readonly onBlock: (samples: Int16Array) => void;
  /** Called when the device was unplugged or the browser ended the capture. */
  readonly onGone: () => void;
}

/** Blocks of 128 samples per message: 512 samples, about 10 ms. */
const QUANTA = 4;
/** Assumed latency of sound cards that do not report it, ms. */
const USUAL_LATENCY_MS = 10;

/**
 * Opens a microphone or line input; the browser asks the user the first time.
 * @param deviceId "" for the browser's default device
 * @throws MicrophoneError
 */
export async function openMicrophone(deviceId: string, { onBlock, onGone }: MicrophonePorts): Promise<Microphone> {
  if (!window.isSecureContext) throw new MicrophoneError("insecure");
  let isClosed = false;
  const input = await openSoundInput({
    deviceId: deviceId || undefined,
    quanta: QUANTA,
    onSound: (block) => isClosed || onBlock(monoOf(block)),
    onEnd: () => isClosed || onGone(),
  }).catch((error: unknown) => {
    throw new MicrophoneError(problemOf(error), error);
  });
  const close = () => {
    isClosed = true;
    input.close();
  };
  const { sampleRate, latencyMs = USUAL_LATENCY_MS, name } = input;
  const { least, most, step } = SOUND_RATE;
  if (sampleRate >= least && sampleRate <= most && sampleRate % step === 0) {
    return { label: name, sampleRate, latencyMs: Math.round(latencyMs), close };
  }
  close();
  throw new MicrophoneError("rate");
}

/** Mixes all channels to mono, 16 bits. */
export function monoOf({ channels }: Pick<SoundBlock, "channels">): Int16Array {
  const mono = new Int16Array(channels[0]?.length ?? 0);
  for (let i = 0; i < mono.length; i++) {
    let sum = 0;
    for (const channel of channels) sum += channel[i]!;
    mono[i] = Math.round(32_767 * Math.max(-1, Math.min(1, sum / channels.length)));
  }
  return mono;
}

function problemOf(error: unknown): MicrophoneProblem {
  switch ((error as { readonly name?: string } | null)?.name) {
    case "NotAllowedError":
    case "SecurityError":
      return "denied";
    case "NotFoundError":
    case "OverconstrainedError":
      return "none";
    case "NotReadableError":
    case "AbortError":
      return "busy";
    default:
      return "broken";
  }
}
