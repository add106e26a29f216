import { STAGE_KEY_HEADER, type StagePageMessage } from "@followspot/contract";

/** `behind`: what is shown may be old; it comes back by itself. `ended`: the link shows nothing any more. */
export type StageLineState = "connecting" | "live" | "behind" | "ended";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5000;
/** The server says something every four seconds; after this the line is dead, though nobody closed it. */
const SILENCE_MS = 10_000;
const UNAUTHENTICATED = 401;

export interface StageLinePorts {
  readonly url: string;
  readonly key: string;
  readonly onMessage: (message: StagePageMessage) => void;
  readonly onState: (state: StageLineState) => void;
  /** Shorter in tests. */
  readonly silenceMs?: number;
}

/** Hears what a stage screen shows for as long as it is open, however often the line is lost. */
export class StageLine {
  readonly #ports: StageLinePorts;
  #abort: AbortController | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #hasHeard = false;
  #isClosed = false;

  constructor(ports: StageLinePorts) {
    this.#ports = ports;
    void this.#follow();
  }

  /** The network is back: no reason to wait. */
  openNow(): void {
    if (this.#again === undefined || this.#isClosed) return;
    clearTimeout(this.#again);
    void this.#follow();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#again);
    clearTimeout(this.#silence);
    this.#abort?.abort();
  }

  async #follow(): Promise<void> {
    this.#again = undefined;
    const abort = new AbortController();
    this.#abort = abort;
    if (!this.#hasHeard) this.#ports.onState("connecting");
    try {
      this.#listenForLife(abort);
      const { url, key } = this.#ports;
      const response = await fetch(url, {
        headers: { [STAGE_KEY_HEADER]: key },
        credentials: "omit",
        cache: "no-store",
        signal: abort.signal,
      });
      if (response.status === UNAUTHENTICATED) return this.#end();
      if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
      if (await this.#read(response.body, abort)) return this.#end();
    } catch {
      // Whatever it was, the next try tells.
    }
    clearTimeout(this.#silence);
    if (!this.#isClosed && abort === this.#abort) this.#comeBack();
  }

  /** @returns true when the server said that the link is over */
  async #read(body: ReadableStream<Uint8Array>, abort: AbortController): Promise<boolean> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#isClosed) return false;
      this.#listenForLife(abort);
      text += decoder.decode(value, { stream: true });
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const message = JSON.parse(event.replace(/^data: /, "")) as StagePageMessage; // our own server's
        if (message.type === "withdrawn") return true;
        this.#failures = 0;
        this.#hasHeard = true;
        this.#ports.onMessage(message);
        this.#ports.onState("live");
      }
    }
  }

  #listenForLife(abort: AbortController): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => abort.abort(), this.#ports.silenceMs ?? SILENCE_MS);
  }

  #comeBack(): void {
    if (this.#hasHeard) this.#ports.onState("behind");
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
    this.#again = setTimeout(() => void this.#follow(), wait * (0.5 + Math.random() / 2));
  }

  #end(): void {
    const isOver = this.#isClosed;
    this.close();
    if (!isOver) this.#ports.onState("ended");
  }
}
