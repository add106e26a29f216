import { deskControlOf, GIVE_ALL_BACK, isMomentary, type DeskMessage, type DeskPress } from "@followspot/contract";
import type { DeskState, DeskValue } from "@followspot/contract";
import type { Line } from "@followspot/contract/line";
import { newKey } from "../lib/new-key.ts";
import { openStageSocket, type LineState } from "../lib/stage-socket.ts";

/** What a screen shows of the desk. */
export interface DeskView {
  /** Presses wait while it is lost. */
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
  readonly #onView: DeskLinePorts["onView"];
  readonly #newId: () => string;
  readonly #waiting = new Map<string, OnItsWay>();
  /** Blinder and strobe as long as a finger is on them here: pressed anew when the line comes back. */
  readonly #pressed = new Map<string, DeskValue>();
  readonly #socket: Line;
  #line: LineState = "connecting";
  #state: DeskState | undefined;
  #refusal: string | undefined;

  constructor({ url, connect, onView, newId = newKey }: DeskLinePorts) {
    this.#onView = onView;
    this.#newId = newId;
    this.#socket = openStageSocket<DeskMessage>({
      url,
      connect,
      types: ["desk", "taken", "refused"],
      onMessage: (message) => this.#hear(message),
      onLost: (line) => this.#lose(line),
    });
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

  close(): void {
    this.#line = "ended";
    this.#socket.close();
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
    if (!waiting || waiting.isSent || this.#line !== "live") return;
    waiting.isSent = this.#socket.send(JSON.stringify(waiting.press));
  }

  #hear(message: DeskMessage): void {
    if (message.type === "desk") this.#follow(message);
    else this.#settle(message);
    this.#tell();
  }

  #follow(state: DeskState): void {
    // What of the rig did not change, or is not known again yet, stays the same object: nothing is made of it anew.
    const before = this.#state;
    const groups = newest(before?.groups, state.groups);
    const movers = newest(before?.movers, state.movers);
    const positions = newest(before?.positions, state.positions);
    const hazers = state.hazers ?? before?.hazers;
    this.#state = {
      ...state,
      ...(hazers !== undefined && { hazers }),
      ...(groups && { groups }),
      ...(movers && { movers }),
      ...(positions && { positions }),
    };
    if (this.#line === "live") return;
    this.#line = "live";
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

  #lose(line: LineState): void {
    for (const waiting of this.#waiting.values()) waiting.isSent = false;
    this.#line = line;
    this.#tell();
  }

  #tell(): void {
    const waiting = new Map<string, DeskValue | null>();
    for (const [control, { press, next }] of this.#waiting) waiting.set(control, (next ?? press).value);
    this.#onView({ line: this.#line, state: this.#state, waiting, refusal: this.#refusal });
  }
}

/** What a control shows here: what was pressed just now, else what a person holds; undefined when it is not held. */
export function shownValue({ state, waiting }: DeskView, control: string): DeskValue | undefined {
  const pressed = waiting.get(control);
  if (pressed !== undefined) return pressed ?? undefined;
  return state?.hands[control]?.value;
}

function newest<T extends object>(before: T | undefined, now: T | undefined): T | undefined {
  return now && JSON.stringify(before) !== JSON.stringify(now) ? now : before;
}
