import { SOUND_RATE } from "@followspot/contract";
import { openSoundInput, type SoundBlock } from "../../sound-input/sound-input.ts";

/** Why there is no microphone: each has a sentence of its own that says what to do. */
export type MicrophoneProblem = "insecure" | "denied" | "none" | "busy" | "rate" | "unplugged" | "broken";

export class MicrophoneError extends Error {
  readonly problem: MicrophoneProblem;

  constructor(problem: MicrophoneProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

export interface Microphone {
  /** As the browser names it; "" when it does not. */
  readonly label: string;
  readonly sampleRate: number;
  readonly latencyMs: number;
  close(): void;
}

export interface MicrophonePorts {
  /** 16-bit mono, about a hundredth of a second. */
  readonly onBlock: (samples: Int16Array) => void;
  /** It was pulled out, or the browser took it away. */
  readonly onGone: () => void;
}

/** 512 samples: a hundredth of a second. */
const QUANTA = 4;
/** What a sound card takes that does not say. */
const USUAL_LATENCY_MS = 10;

/**
 * Opens a microphone or line of this device; asks the person the first time.
 * @param deviceId "" for the one the browser prefers
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

/** All channels as one, in 16 bits. */
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
