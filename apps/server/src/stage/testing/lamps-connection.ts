import { applySentLamps, readSentLamps, type SentLamps } from "@followspot/contract";
import { WebSocket, type ClientOptions } from "ws";
import { monotonicMs } from "../outputs/frame-ring.ts";

/** A connection that receives the sent slots, with its current copy of the light. */
export class LampsConnection {
  readonly ws: WebSocket;
  readonly told: (SentLamps & { readonly heardMs: number })[] = [];
  readonly universes = new Map<number, Uint8Array>();
  /** Close code, once closed. */
  closed: number | undefined;

  constructor(url: string, options: ClientOptions = {}, protocols: string[] = []) {
    this.ws = new WebSocket(url, protocols, options);
    this.ws.binaryType = "arraybuffer";
    this.ws.on("message", (data) => {
      const message = readSentLamps(data as ArrayBuffer); // as requested above
      if (!message) throw new Error("the stage told something that cannot be read");
      applySentLamps(this.universes, message);
      this.told.push({ ...message, heardMs: monotonicMs() });
    });
    this.ws.on("close", (code) => (this.closed = code));
    this.ws.on("error", () => {});
  }

  close(): void {
    this.ws.terminate();
  }
}
