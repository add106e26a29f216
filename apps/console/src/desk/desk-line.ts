import { deskControlOf, GIVE_ALL_BACK, isMomentary, type DeskMessage, type DeskPress } from "@followspot/contract";
import type { DeskState, DeskValue } from "@followspot/contract";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 3000;
/** The stage says something every second; a line that is silent longer is cut, whatever the browser believes. */
const SILENCE_MS = 3500;
const WATCH_MS = 500;
/** Close codes after which it makes no sense to come back: not signed in, not allowed. */
const UNAUTHENTICATED = 4401;
const FORBIDDEN = 4403;

/** `lost`: presses wait. `ended`: whoever this is may not press, or not any more. */
export type LineState = "connecting" | "live" | "lost" | "ended";

/** What a screen shows of the desk. */
export interface DeskView {
  readonly line: LineState;
  /** What the stage said last; undefined before it has said anything. */
  readonly state: DeskState | undefined;
  /** What was pressed here and is not taken yet, by control. */
  readonly waiting: ReadonlyMap<string, DeskValue | null>;
  /** Why the last press was refused. */
  readonly refusal: string | undefined;
}

export interface DeskLinePorts {
  readonly url: string;
  readonly onView: (view: DeskView) => void;
  readonly connect?: (url: string) => WebSocket;
  readonly newId?: () => string;
}

/** One press of a control that is on its way, and what it is to become after that. */
interface OnItsWay {
  readonly press: DeskPress;
  isSent: boolean;
  /** Pressed again meanwhile: of several the last. */
  next: { readonly value: DeskValue | null } | undefined;
}

/**
 * One line to the desk. A press is sent until it is taken, with the id it got when it was pressed, also over lines that
 * break; of many presses of one control while one is on its way the last one follows. Knows nothing of React.
 */
export class DeskLine {
  readonly #ports: DeskLinePorts;
  readonly #newId: () => string;
  readonly #waiting = new Map<string, OnItsWay>();
  /** Blinder and strobe as long as a finger is on them here: pressed anew when the line comes back. */
  readonly #pressed = new Map<string, DeskValue>();
  #socket: WebSocket | undefined;
  #heardMs = 0;
  #attempt = 0;
  #line: LineState = "connecting";
  #state: DeskState | undefined;
  #refusal: string | undefined;
  #reconnect: ReturnType<typeof setTimeout> | undefined;
  readonly #watch: ReturnType<typeof setInterval>;

  constructor(ports: DeskLinePorts) {
    this.#ports = ports;
    this.#newId = ports.newId ?? randomId;
    this.#watch = setInterval(() => this.#lookForSilence(), WATCH_MS);
    this.#open();
  }

  /** @param value null gives the control back, or lets it go */
  press(control: string, value: DeskValue | null): void {
    if (this.#line === "ended") return;
    const kind = deskControlOf(control)?.kind;
    if (kind !== undefined && isMomentary(kind)) {
      if (value === null) this.#pressed.delete(control);
      else this.#pressed.set(control, value);
    }
    // Everything that waits is given back as well, and nothing of it comes after that.
    if (control === GIVE_ALL_BACK) for (const [key, each] of this.#waiting) if (!each.isSent) this.#waiting.delete(key);
    const before = this.#waiting.get(control);
    if (before?.isSent) before.next = { value };
    else if (before && value === null && kind !== undefined && isMomentary(kind)) this.#waiting.delete(control);
    else this.#begin(control, value);
    this.#tell();
  }

  /** What waits for the line is not pressed any more. */
  forgetWaiting(): void {
    this.#waiting.clear();
    this.#tell();
  }

  forgetRefusal(): void {
    this.#refusal = undefined;
    this.#tell();
  }

  /** The network is back: no reason to wait. */
  openNow(): void {
    if (this.#line !== "lost") return;
    this.#drop();
    this.#open();
  }

  close(): void {
    this.#line = "ended";
    clearInterval(this.#watch);
    this.#drop();
  }

  #begin(control: string, value: DeskValue | null): void {
    const press: DeskPress = { type: "press", id: this.#newId(), control, value };
    // Last in order, also when it takes the place of one that waited.
    this.#waiting.delete(control);
    this.#waiting.set(control, { press, isSent: false, next: undefined });
    this.#send(control);
  }

  #send(control: string): void {
    const waiting = this.#waiting.get(control);
    if (!waiting || waiting.isSent || this.#line !== "live" || this.#socket?.readyState !== 1) return;
    waiting.isSent = true;
    this.#socket.send(JSON.stringify(waiting.press));
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
    if (message.type === "desk") this.#follow(message);
    else this.#settle(message);
    this.#tell();
  }

  #follow(state: DeskState): void {
    // Groups that did not change stay the same object: what is made of them is not made anew every second.
    const groups = this.#state && isSame(this.#state.groups, state.groups) ? this.#state.groups : state.groups;
    this.#state = { ...state, groups };
    if (this.#line === "live") return;
    this.#line = "live";
    this.#attempt = 0;
    // The stage let go what the line before pressed.
    for (const [control, value] of this.#pressed) if (!this.#waiting.has(control)) this.#begin(control, value);
    for (const control of this.#waiting.keys()) this.#send(control);
  }

  #settle(message: Exclude<DeskMessage, DeskState>): void {
    for (const [control, { press, next }] of this.#waiting) {
      if (press.id !== message.id) continue;
      this.#waiting.delete(control);
      if (next) this.#begin(control, next.value);
    }
    this.#refusal = message.type === "refused" ? message.message : undefined;
  }

  #lookForSilence(): void {
    if (this.#socket && Date.now() - this.#heardMs > SILENCE_MS) this.#lose(0);
  }

  #lose(code: number): void {
    this.#drop();
    for (const waiting of this.#waiting.values()) waiting.isSent = false;
    const isFinal = code === UNAUTHENTICATED || code === FORBIDDEN;
    this.#line = isFinal ? "ended" : "lost";
    if (!isFinal) {
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#attempt++);
      this.#reconnect = setTimeout(() => this.#open(), wait * (0.75 + Math.random() / 2));
    }
    this.#tell();
  }

  #drop(): void {
    clearTimeout(this.#reconnect);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #tell(): void {
    const waiting = new Map<string, DeskValue | null>();
    for (const [control, { press, next }] of this.#waiting) waiting.set(control, (next ?? press).value);
    this.#ports.onView({ line: this.#line, state: this.#state, waiting, refusal: this.#refusal });
  }
}

/** What a control shows here: what was pressed just now, else what is in somebody's hand; undefined: nobody has it. */
export function shownValue({ state, waiting }: DeskView, control: string): DeskValue | undefined {
  const pressed = waiting.get(control);
  if (pressed !== undefined) return pressed ?? undefined;
  return state?.hands[control]?.value;
}

/** The stage is ours, so a message is trusted to be one of its kinds once it is JSON with a type. */
function readMessage(data: unknown): DeskMessage | undefined {
  try {
    const message = JSON.parse(String(data)) as DeskMessage | null;
    return message && ["desk", "taken", "refused"].includes(message.type) ? message : undefined;
  } catch {
    return undefined; // not a message of the stage; nothing depends on it
  }
}

const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
