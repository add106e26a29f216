import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { monotonicMs } from "./frame-ring.ts";

/** Delay before a dead program is restarted, ms. */
const RESTART_MS = 1000;
/** Time after which an adapter that has not accepted a frame counts as hung, ms. */
const HANG_MS = 2000;
/** Time for the last frame to be sent, ms. */
const CLOSE_MS = 150;

const CHILD = fileURLToPath(new URL("./usb-child.ts", import.meta.url));

/** Messages from the program of an adapter. `sent`: it is ready for the next frame. */
export type UsbChildMessage =
  | { readonly kind: "open" }
  | { readonly kind: "sent" }
  | { readonly kind: "failed"; readonly failure: string };

/** Orders to the program: a frame, or the end. */
export type UsbChildOrder = { readonly frame: Uint8Array } | { readonly close: true };

export interface UsbPathOptions {
  readonly protocol: "enttec_pro" | "open_dmx";
  readonly device: string;
  readonly serial: string;
  readonly onError: () => void;
  readonly onChange: (failure: string | undefined) => void;
}

/**
 * One USB adapter in a separate program, so that neither a hung device nor native code of the serial library can block
 * the output thread. One frame is sent at a time; of the waiting frames only the newest is kept.
 */
export class UsbPath {
  readonly #options: UsbPathOptions;
  #child: ChildProcess | undefined;
  #isOpen = false;
  #isBusy = false;
  #givenMs = 0;
  #waiting: Buffer | undefined;
  /** Failure reported last; "" before the first report. */
  #failure: string | undefined = "";
  #restart: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: UsbPathOptions) {
    this.#options = options;
    this.#start();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(bytes: Buffer, nowMs: number): void {
    if (!this.#isOpen) return;
    if (!this.#isBusy) return this.#give(bytes, nowMs);
    this.#waiting = Buffer.from(bytes);
    if (nowMs - this.#givenMs <= HANG_MS) return;
    this.#fail(`The USB adapter at ${this.#options.device} takes no frames. Pull it out and put it back.`);
    this.#child?.kill("SIGKILL"); // its exit restarts it
  }

  /** Resolves when the last frame was sent or cannot be sent any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    if (this.#waiting) this.#tell({ frame: this.#waiting });
    this.#tell({ close: true });
    const timer = setTimeout(() => child.kill("SIGKILL"), CLOSE_MS);
    await exited;
    clearTimeout(timer);
  }

  #start(): void {
    const { protocol, device, serial } = this.#options;
    const child = fork(CHILD, [protocol, device, serial], {
      env: { PATH: process.env["PATH"] },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child = child;
    child.on("message", (message) => this.#hear(message as UsbChildMessage)); // it is our own program
    child.on("error", (error) => this.#fail(`The program for USB adapters cannot be started: ${error.message}`));
    child.once("exit", () => this.#startLater());
  }

  #startLater(): void {
    if (this.#isClosed) return;
    this.#fail(this.#failure || `The program for the USB adapter at ${this.#options.device} ended`);
    this.#restart = setTimeout(() => this.#start(), RESTART_MS);
  }

  #hear(message: UsbChildMessage): void {
    switch (message.kind) {
      case "open":
        this.#isOpen = true;
        this.#isBusy = false;
        this.#waiting = undefined;
        return this.#change(undefined);
      case "sent": {
        this.#isBusy = false;
        const waiting = this.#waiting;
        this.#waiting = undefined;
        if (waiting && this.#isOpen) this.#give(waiting, monotonicMs());
        return;
      }
      case "failed":
        return this.#fail(message.failure);
      default:
        message satisfies never;
    }
  }

  #give(bytes: Buffer, nowMs: number): void {
    this.#isBusy = true;
    this.#givenMs = nowMs;
    this.#tell({ frame: bytes });
  }

  #tell(order: UsbChildOrder): void {
    if (this.#child?.connected) this.#child.send(order, () => undefined); // its exit is handled elsewhere
  }

  #fail(failure: string): void {
    this.#isOpen = false;
    this.#isBusy = false;
    this.#waiting = undefined;
    this.#options.onError();
    this.#change(failure);
  }

  #change(failure: string | undefined): void {
    if (failure === this.#failure || this.#isClosed) return;
    this.#failure = failure;
    this.#options.onChange(failure);
  }
}
