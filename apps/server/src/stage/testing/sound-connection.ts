import { setTimeout as sleep } from "node:timers/promises";
import { SOUND_HEADER_BYTES, type SoundCommand, type SoundMessage, type SoundState } from "@followspot/contract";
import { WebSocket, type ClientOptions } from "ws";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { until } from "./dmx-node.ts";

/** Length of one block, seconds, as sent by a browser. */
const BLOCK_SECONDS = 0.01;

/** A connection to `/lights/sound`, with all messages it received. */
export class SoundConnection {
  readonly ws: WebSocket;
  readonly told: SoundMessage[] = [];
  /** Close code, once closed. */
  closed: number | undefined;
  /** Delay of each block of `play`, ms. */
  readonly lateMs: number[] = [];
  #samples = 0;

  constructor(url: string, options: ClientOptions = {}) {
    this.ws = new WebSocket(url, options);
    this.ws.on("message", (data) => this.told.push(JSON.parse(String(data))));
    this.ws.on("close", (code) => (this.closed = code));
    this.ws.on("error", () => {});
  }

  get state(): SoundState | undefined {
    return this.told.findLast((message) => message.type === "sound");
  }

  /** The last refusal. */
  get refused(): string | undefined {
    return this.told.findLast((message) => message.type === "refused")?.message;
  }

  async opened(): Promise<this> {
    await until(() => this.state !== undefined);
    return this;
  }

  say(command: SoundCommand): void {
    this.ws.send(JSON.stringify(command));
  }

  start(sample_rate: number, more: Partial<SoundCommand & { type: "start" }> = {}): void {
    this.#samples = 0;
    this.say({ type: "start", sample_rate, device: "Test microphone", ...more });
  }

  /** Sends one block. @param first index of its first sample; by default it follows the last block */
  send(samples: ArrayLike<number>, first = this.#samples): void {
    const bytes = Buffer.alloc(SOUND_HEADER_BYTES + 2 * samples.length);
    bytes.writeUInt32LE(first >>> 0, 0);
    for (let i = 0; i < samples.length; i++) {
      bytes.writeInt16LE(Math.round(32_767 * Math.max(-1, Math.min(1, samples[i]!))), SOUND_HEADER_BYTES + 2 * i);
    }
    this.#samples = first + samples.length;
    this.ws.send(bytes);
  }

  /**
   * Plays sound in real time: sends each block when a microphone would have captured all of it.
   * @returns the time of sample 0, in monotonicMs
   */
  async play(y: Float32Array, sampleRate: number): Promise<number> {
    const block = Math.round(BLOCK_SECONDS * sampleRate);
    const started = monotonicMs();
    for (let at = 0; at + block <= y.length; at += block) {
      const due = started + (1000 * (at + block)) / sampleRate;
      const wait = due - monotonicMs();
      if (wait > 0) await sleep(wait);
      this.lateMs.push(monotonicMs() - due);
      this.send(y.subarray(at, at + block));
    }
    return started;
  }

  close(): void {
    this.ws.terminate();
  }
}
