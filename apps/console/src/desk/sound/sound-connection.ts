import { SOUND_HEADER_BYTES, type SoundCommand, type SoundMessage, type SoundState } from "@followspot/contract";
import type { Connection } from "@followspot/contract/connection";
import { openStageSocket, type ConnectionState } from "../../lib/stage-socket.ts";
import { MicrophoneError, type Microphone, type MicrophonePorts, type MicrophoneProblem } from "./microphone.ts";

/** Maximum amount of unsent sound, bytes: half a second. Later blocks are skipped. */
const MAX_LATE_BYTES = 48_000;
/** State of live sound for screens. */
export interface SoundView {
  readonly connection: ConnectionState;
  /** Last state from the stage, and its time of arrival by `performance.now()`. */
  readonly state: SoundState | undefined;
  readonly toldMs: number;
  /** State of this console's microphone. */
  readonly microphone: "off" | "opening" | "on";
  readonly problem: MicrophoneProblem | undefined;
  /** Reason why the stage refused the microphone. */
  readonly refusal: string | undefined;
}

export const NO_SOUND: SoundView = {
  connection: "connecting",
  state: undefined,
  toldMs: 0,
  microphone: "off",
  problem: undefined,
  refusal: undefined,
};

export interface SoundConnectionPorts {
  readonly url: string;
  readonly onView: (view: SoundView) => void;
  readonly openMicrophone: (deviceId: string, ports: MicrophonePorts) => Promise<Microphone>;
  readonly connect?: (url: string) => WebSocket;
}

/**
 * Connection to live sound: reports the active source, and can send a microphone of this device as the source. If the
 * connection is lost, it reconnects and resumes. Independent of React.
 */
export class SoundConnection {
  readonly #ports: SoundConnectionPorts;
  readonly #socket: Connection;
  #view: SoundView = NO_SOUND;
  #microphone: Microphone | undefined;
  /** Number of the latest request for a microphone; a microphone of an older request that opens late is closed. */
  #request = 0;
  #samples = 0;
  /** Whether `start` was sent over this connection; the stage makes this microphone the source a state or two later. */
  #hasStarted = false;
  #isLeading = false;
  /** Whether this microphone was the active source, perhaps over an earlier connection. */
  #hasLed = false;

  constructor(ports: SoundConnectionPorts) {
    this.#ports = ports;
    this.#socket = openStageSocket<SoundMessage>({
      url: ports.url,
      connect: ports.connect,
      types: ["sound", "refused"],
      onMessage: (message) => this.#hear(message),
      onLost: (connection) => this.#lose(connection),
    });
  }

  get view(): SoundView {
    return this.#view;
  }

  /** Opens a microphone and makes it the source in place of the previous one. */
  async lead(deviceId: string): Promise<void> {
    this.#drop();
    const request = ++this.#request;
    this.#show({ microphone: "opening", problem: undefined, refusal: undefined });
    try {
      const microphone = await this.#ports.openMicrophone(deviceId, {
        onBlock: (samples) => this.#send(samples),
        onGone: () => request === this.#request && this.#fail("unplugged"),
      });
      if (request !== this.#request) return microphone.close();
      this.#microphone = microphone;
      this.#show({ microphone: "on" });
      this.#start();
    } catch (error) {
      if (request === this.#request) this.#fail(error instanceof MicrophoneError ? error.problem : "broken");
    }
  }

  /** Returns the fixtures to songs and closes the microphone. */
  stop(): void {
    this.#say({ type: "stop" });
    this.#request++;
    this.#drop();
  }

  close(): void {
    this.#request++;
    this.#drop();
    this.#socket.close();
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

  /** @param run stage process that this microphone was the source of before its connection was lost */
  #start(run?: string): void {
    if (!this.#microphone || this.#view.connection !== "live") return;
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
    if (!this.#hasStarted) return;
    const first = this.#samples;
    this.#samples += samples.length;
    if (this.#socket.bufferedBytes > MAX_LATE_BYTES) return;
    const bytes = new DataView(new ArrayBuffer(SOUND_HEADER_BYTES + 2 * samples.length));
    bytes.setUint32(0, first >>> 0, true);
    for (let i = 0; i < samples.length; i++) bytes.setInt16(SOUND_HEADER_BYTES + 2 * i, samples[i]!, true);
    this.#socket.send(bytes.buffer);
  }

  #say(command: SoundCommand): void {
    this.#socket.send(JSON.stringify(command));
  }

  #hear(message: SoundMessage): void {
    if (message.type === "refused") {
      this.#drop();
      return this.#show({ refusal: message.message });
    }
    const run = this.#view.state?.run;
    const isNew = this.#view.connection !== "live";
    this.#show({ connection: "live", state: message, toldMs: performance.now() });
    if (isNew && this.#microphone) return this.#start(this.#hasLed ? run : undefined);
    if (message.you_lead && this.#hasStarted) this.#isLeading = this.#hasLed = true;
    // Another microphone is the source, or songs drive the fixtures again.
    else if (this.#isLeading) this.#drop();
  }

  #lose(connection: ConnectionState): void {
    this.#hasStarted = false;
    this.#isLeading = false;
    if (connection === "ended") this.#drop();
    this.#show({ connection });
  }

  #show(news: Partial<SoundView>): void {
    this.#view = { ...this.#view, ...news };
    this.#ports.onView(this.#view);
  }
}
