import { FrameClock } from "@followspot/playing";
import tapWorklet from "./tap-worklet.ts?worker&url";

/** Why nothing can be heard: no input here or none plugged in, or the person or the system refused. */
export type NoSound = "missing" | "denied";

export interface SoundBlock {
  readonly channels: readonly Float32Array[];
  /** When the first sample was there, ms of `performance.now()`. */
  readonly startMs: number;
}

export interface SoundInputOptions {
  /** One of {@link soundInputs}; undefined leaves the choice to the browser. */
  readonly deviceId?: string | undefined;
  readonly onSound: (block: SoundBlock) => void;
  /** Length of a block, in 128 samples; 8 when left out. */
  readonly quanta?: number;
  /** It was pulled out, or taken away. */
  readonly onEnd: () => void;
}

export interface SoundInput {
  /** Its name, as far as the browser says. */
  readonly name: string;
  readonly sampleRate: number;
  /** What the input itself takes, ms, as far as the browser says; taken off the times already. */
  readonly latencyMs: number | undefined;
  /** What the browser believes sound takes on its way out, ms; 0 where it does not say. */
  readonly outputLatencyMs: () => number;
  /** False until the page was touched: a page that was not may not listen. */
  readonly isAwake: () => boolean;
  readonly wake: () => Promise<void>;
  readonly close: () => void;
}

/** @throws why not, as {@link noSound} reads it */
export async function openSoundInput({ deviceId, onSound, onEnd, quanta }: SoundInputOptions): Promise<SoundInput> {
  if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("no sound input here", "NotFoundError");
  const stream = await navigator.mediaDevices.getUserMedia({
    // What makes speech clearer makes a click or a time code something else.
    audio: {
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
      channelCount: { ideal: 2 },
      ...(deviceId && { deviceId: { exact: deviceId } }),
    },
  });
  const context = new AudioContext({ latencyHint: "interactive" });
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(tapWorklet);
    const [track] = stream.getAudioTracks();
    const latency = (track?.getSettings() as { readonly latency?: number } | undefined)?.latency;
    const latencyMs = latency !== undefined && latency > 0 && latency < 0.5 ? latency * 1000 : undefined;
    track?.addEventListener("ended", onEnd);
    const tap = new AudioWorkletNode(context, "tap", {
      numberOfOutputs: 0,
      channelCountMode: "max",
      processorOptions: { quanta },
    });
    const clock = new FrameClock(context.sampleRate);
    tap.port.onmessage = ({ data }: MessageEvent<{ frame: number; channels: Float32Array[] }>) => {
      const { frame, channels } = data;
      const startMs = clock.see(frame + channels[0]!.length, frame, performance.now()) - (latencyMs ?? 0);
      onSound({ channels, startMs });
    };
    context.createMediaStreamSource(stream).connect(tap);
    void context.resume();
    return {
      name: track?.label ?? "",
      sampleRate: context.sampleRate,
      latencyMs,
      outputLatencyMs: () => (context.outputLatency || 0) * 1000,
      isAwake: () => context.state === "running",
      wake: () => context.resume(),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

export interface InputName {
  readonly id: string;
  readonly name: string;
}

/** Inputs there are; their names are told only after one was opened. */
export async function soundInputs(): Promise<readonly InputName[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return devices
    .filter(({ kind, deviceId }) => kind === "audioinput" && deviceId !== "")
    .map(({ deviceId, label }) => ({ id: deviceId, name: label }));
}

export const noSound = (error: unknown): NoSound =>
  error instanceof DOMException && ["NotFoundError", "OverconstrainedError"].includes(error.name)
    ? "missing"
    : "denied";
