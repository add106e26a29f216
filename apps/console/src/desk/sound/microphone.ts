import { SOUND_RATE } from "@followspot/contract";
import workletUrl from "./microphone-worklet.ts?worker&url";

/** Why there is no microphone: each has a sentence of its own that says what to do. */
export type MicrophoneProblem = "insecure" | "denied" | "none" | "busy" | "rate" | "gone" | "broken";

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

/** As it sounds: what makes speech clear tears music apart. */
const RAW = { echoCancellation: false, noiseSuppression: false, autoGainControl: false } as const;

/**
 * Opens a microphone or line of this device; asks the person the first time.
 * @param deviceId "" for the one the browser prefers
 * @throws MicrophoneError
 */
export async function openMicrophone(deviceId: string, { onBlock, onGone }: MicrophonePorts): Promise<Microphone> {
  if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) throw new MicrophoneError("insecure");
  const stream = await navigator.mediaDevices
    .getUserMedia({ audio: { ...RAW, ...(deviceId !== "" && { deviceId: { ideal: deviceId } }) } })
    .catch((error: unknown) => {
      throw new MicrophoneError(problemOf(error), error);
    });
  const [track] = stream.getAudioTracks();
  const context = new AudioContext({ latencyHint: "interactive" });
  let isClosed = false;
  const close = () => {
    isClosed = true;
    for (const one of stream.getTracks()) one.stop();
    void context.close().catch(() => undefined); // it was closed already
  };
  try {
    const { sampleRate } = context;
    const { least, most, step } = SOUND_RATE;
    if (!track || sampleRate < least || sampleRate > most || sampleRate % step !== 0) throw new MicrophoneError("rate");
    await context.audioWorklet.addModule(workletUrl);
    await context.resume();
    const node = new AudioWorkletNode(context, "microphone", { numberOfOutputs: 0 });
    node.port.onmessage = ({ data }: MessageEvent<Int16Array>) => isClosed || onBlock(data);
    context.createMediaStreamSource(stream).connect(node);
    track.addEventListener("ended", () => isClosed || onGone());
    const { latency } = track.getSettings() as MediaTrackSettings & { readonly latency?: number };
    return { label: track.label, sampleRate, latencyMs: latencyOf(latency), close };
  } catch (error) {
    close();
    throw error instanceof MicrophoneError ? error : new MicrophoneError("broken", error);
  }
}

/** Inputs this device has; without names until a microphone was allowed. */
export async function listMicrophones(): Promise<readonly { readonly id: string; readonly label: string }[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
  return devices
    .filter(({ kind, deviceId }) => kind === "audioinput" && deviceId !== "")
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** Seconds from the browser, which may not know, to ms the stage takes. */
function latencyOf(seconds: number | undefined): number {
  return Math.min(200, Math.max(0, Math.round(1000 * (seconds ?? 0.01))));
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
