import type { DeskMessage, DeskPress, DeskState, DeskValue } from "@followspot/contract";
import { WebSocket, type ClientOptions } from "ws";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { until } from "./dmx-node.ts";

/** A connection to the desk, with all messages it received. */
export class DeskSocket {
  readonly ws: WebSocket;
  readonly told: { readonly ms: number; readonly message: DeskMessage }[] = [];
  /** Close code, once closed. */
  closed: number | undefined;
  #lastId = 0;
  readonly #name: string;

  constructor(url: string, options: ClientOptions = {}, name = "connection") {
    this.#name = name;
    this.ws = new WebSocket(url, options);
    this.ws.on("message", (data) => this.told.push({ ms: monotonicMs(), message: JSON.parse(String(data)) }));
    this.ws.on("close", (code) => (this.closed = code));
    this.ws.on("error", () => {});
  }

  get state(): DeskState | undefined {
    const last = this.told.findLast(({ message }) => message.type === "desk");
    return last?.message as DeskState | undefined; // found by its type
  }

  async opened(): Promise<this> {
    await until(() => this.state !== undefined);
    return this;
  }

  /** Sends a press. Returns its ID. */
  press(control: string, value: DeskValue | null = true, id = `${this.#name} ${++this.#lastId}`): string {
    this.ws.send(JSON.stringify({ type: "press", id, control, value } satisfies DeskPress));
    return id;
  }

  /** Returns the answer to a press, once received. */
  answer(id: string): DeskMessage | undefined {
    return this.told.find(({ message }) => message.type !== "desk" && message.id === id)?.message;
  }

  close(): void {
    this.ws.terminate();
  }
}
