import type { PlaybackCommand, PlaybackMessage } from "@followspot/contract";
import { WebSocket, type ClientOptions } from "ws";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { until } from "./dmx-node.ts";

type State = Extract<PlaybackMessage, { type: "state" }>;

/** A console on a playback socket, with all messages it received. */
export class ConsoleSocket {
  readonly ws: WebSocket;
  readonly told: PlaybackMessage[] = [];
  /** Song position minus the machine's clock at the last state, seconds; constant while a show plays. */
  clockOffset = Number.NaN;
  /** Close code, once closed. */
  closed: number | undefined;

  constructor(url: string, options: ClientOptions = {}) {
    this.ws = new WebSocket(url, options);
    this.ws.on("message", (data) => {
      const message: PlaybackMessage = JSON.parse(String(data));
      this.told.push(message);
      if (message.type === "state") this.clockOffset = message.position - monotonicMs() / 1000;
    });
    this.ws.on("close", (code) => (this.closed = code));
    this.ws.on("error", () => {});
  }

  say(command: PlaybackCommand): void {
    this.ws.send(JSON.stringify(command));
  }

  get state(): State | undefined {
    return this.told.findLast((message) => message.type === "state");
  }

  async opened(): Promise<this> {
    await until(() => this.state !== undefined);
    return this;
  }

  /** Prepares and plays from a position, and waits until the stage confirms it. */
  async play(position: number, takesOver = false): Promise<void> {
    this.say({ type: "prepare_playback", take_over: takesOver });
    this.say({ type: "play", position });
    await until(() => this.state?.owner === true && this.state.mode === "playing");
  }

  close(): void {
    this.ws.terminate();
  }
}
