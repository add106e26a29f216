import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Notes when packets came, in a thread that does nothing else. */
export class PacketClock {
  /** UDP, on loopback. */
  readonly port: number;
  readonly #thread: Worker;

  private constructor(thread: Worker, port: number) {
    this.#thread = thread;
    this.port = port;
  }

  static async open(): Promise<PacketClock> {
    const thread = new Worker(new URL("./packet-clock-thread.ts", import.meta.url));
    const [port] = (await once(thread, "message")) as [number]; // our own thread
    return new PacketClock(thread, port);
  }

  /** When packets came since it was asked last, ms of the monotonic clock. */
  async take(): Promise<readonly number[]> {
    const answer = once(this.#thread, "message");
    this.#thread.postMessage("take");
    return ((await answer) as [number[]])[0];
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
