import { SOUND_HEADER_BYTES, type SoundCommand, type SoundMessage, type SoundState } from "@followspot/contract";
import { MicrophoneError, type Microphone, type MicrophonePorts, type MicrophoneProblem } from "./microphone.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 3000;
/** The stage says something every second at least. */
const SILENCE_MS = 3500;
const WATCH_MS = 500;
/** Sound that waits longer than this is late: half a second. */
const MAX_LATE_BYTES = 48_000;
/** Close codes after which it makes no sense to come back: not signed in, not allowed. */
const FINAL: readonly number[] = [4401, 4403];

/** What a screen shows of live sound. */
export interface SoundView {
  readonly line: "connecting" | "live" | "lost" | "ended";
  /** What the stage said last, and when, by `performance.now()`. */
  readonly state: SoundState | undefined;
  readonly toldMs: number;
  /** This console's microphone: being opened, or open. */
  readonly microphone: "off" | "opening" | "on";
  readonly problem: MicrophoneProblem | undefined;
  /** Why the stage would not have it. */
  readonly refusal: string | undefined;
}

export const NO_SOUND: SoundView = {
  line: "connecting",
  state: undefined,
  toldMs: 0,
  microphone: "off",
  problem: undefined,
  refusal: undefined,
};

export interface SoundLinePorts {
  readonly url: string;
  readonly onView: (view: SoundView) => void;
  readonly openMicrophone: (deviceId: string, ports: MicrophonePorts) => Promise<Microphone>;
  readonly connect?: (url: string) => WebSocket;
}

/**
 * One line to live sound: shows who leads, and leads itself with a microphone of this device. A line that breaks while it
 * leads comes back and goes on. Knows nothing of React.
 */
export class SoundLine {
  readonly #ports: SoundLinePorts;
  #socket: WebSocket | undefined;
  #view: SoundView = NO_SOUND;
  #microphone: Microphone | undefined;
  /** Number of the microphone that is wanted; another press makes an older one that opens late superfluous. */
  #wish = 0;
  #samples = 0;
  /** `start` was said on this line; the stage answers by letting it lead, a state or two later. */
  #hasStarted = false;
  #isLeading = false;
  /** This microphone has led, perhaps on a line before. */
  #hasLed = false;
  #heardMs = 0;
  #attempt = 0;
  #reconnect: ReturnType<typeof setTimeout> | undefined;
  readonly #watch: ReturnType<typeof setInterval>;

  constructor(ports: SoundLinePorts) {
    this.#ports = ports;
    this.#watch = setInterval(() => this.#lookForSilence(), WATCH_MS);
    this.#open();
  }

  get view(): SoundView {
    return this.#view;
  }

  /** Opens a microphone and leads with it, whoever led before. */
  async lead(deviceId: string): Promise<void> {
    this.#drop();
    const wish = ++this.#wish;
    this.#show({ microphone: "opening", problem: undefined, refusal: undefined });
    try {
      const microphone = await this.#ports.openMicrophone(deviceId, {
        onBlock: (samples) => this.#send(samples),
        onGone: () => wish === this.#wish && this.#fail("gone"),
      });
      if (wish !== this.#wish) return microphone.close();
      this.#microphone = microphone;
      this.#show({ microphone: "on" });
      this.#start();
    } catch (error) {
      if (wish === this.#wish) this.#fail(error instanceof MicrophoneError ? error.problem : "broken");
    }
  }

  /** Songs have the lamps again, and the microphone is closed. */
  stop(): void {
    this.#say({ type: "stop" });
    this.#wish++;
    this.#drop();
  }

  openNow(): void {
    if (this.#view.line === "lost") this.#open();
  }

  close(): void {
    clearInterval(this.#watch);
    clearTimeout(this.#reconnect);
    this.#wish++;
    this.#drop();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #fail(problem: MicrophoneProblem): void {
    this.stop();
    this.#show({ problem });
  }

  #drop(): void {
    this.#microphone?.close();
    this.#microphone = undefined;
    this.#hasStarted = false;
    this.#isLeading = false;
    this.#hasLed = false;
    if (this.#view.microphone !== "off") this.#show({ microphone: "off" });
  }

  /** @param run of the stage this microphone led before its line was lost */
  #start(run?: string): void {
    if (!this.#microphone || this.#view.line !== "live") return;
    const { sampleRate, label, latencyMs } = this.#microphone;
    this.#samples = 0;
    this.#hasStarted = true;
    const device = label.slice(0, 200);
    this.#say({
      type: "start",
      sample_rate: sampleRate,
      device,
      latency_ms: latencyMs,
      ...(run !== undefined && { back_to: run }),
    });
  }

  #send(samples: Int16Array): void {
    const socket = this.#socket;
    if (!this.#hasStarted || socket?.readyState !== 1) return;
    const first = this.#samples;
    this.#samples += samples.length;
    if (socket.bufferedAmount > MAX_LATE_BYTES) return;
    const bytes = new DataView(new ArrayBuffer(SOUND_HEADER_BYTES + 2 * samples.length));
    bytes.setUint32(0, first >>> 0, true);
    for (let i = 0; i < samples.length; i++) bytes.setInt16(SOUND_HEADER_BYTES + 2 * i, samples[i]!, true);
    socket.send(bytes.buffer);
  }

  #say(command: SoundCommand): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(command));
  }

  #open(): void {
    clearTimeout(this.#reconnect);
    const socket = this.#ports.connect?.(this.#ports.url) ?? new WebSocket(this.#ports.url);
    this.#socket = socket;
    this.#heardMs = Date.now();
    socket.addEventListener("message", ({ data }: MessageEvent) => socket === this.#socket && this.#hear(data));
    socket.addEventListener("close", ({ code }: CloseEvent) => socket === this.#socket && this.#lose(code));
  }

  #hear(data: unknown): void {
    this.#heardMs = Date.now();
    const message = readMessage(data);
    if (!message) return;
    if (message.type === "refused") {
      this.#drop();
      return this.#show({ refusal: message.message });
    }
    const run = this.#view.state?.run;
    const isNew = this.#view.line !== "live";
    this.#attempt = 0;
    this.#show({ line: "live", state: message, toldMs: performance.now() });
    if (isNew && this.#microphone) return this.#start(this.#hasLed ? run : undefined);
    if (message.you_lead && this.#hasStarted) this.#isLeading = this.#hasLed = true;
    // Somebody else leads, or songs have the lamps again.
    else if (this.#isLeading) this.#drop();
  }

  #lookForSilence(): void {
    if (this.#socket && Date.now() - this.#heardMs > SILENCE_MS) this.#lose(0);
  }

  #lose(code: number): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#hasStarted = false;
    this.#isLeading = false;
    if (FINAL.includes(code)) {
      this.#drop();
      return this.#show({ line: "ended" });
    }
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#attempt++);
    this.#reconnect = setTimeout(() => this.#open(), wait * (0.75 + Math.random() / 2));
    this.#show({ line: "lost" });
  }

  #show(news: Partial<SoundView>): void {
    this.#view = { ...this.#view, ...news };
    this.#ports.onView(this.#view);
  }
}

/** The stage is ours, so a message is trusted to be one of its kinds once it is JSON with a type. */
function readMessage(data: unknown): SoundMessage | undefined {
  try {
    const message = JSON.parse(String(data)) as SoundMessage | null;
    return message && ["sound", "refused"].includes(message.type) ? message : undefined;
  } catch {
    return undefined; // not a message of the stage; nothing depends on it
  }
}
