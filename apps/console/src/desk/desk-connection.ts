import { deskControlOf, GIVE_ALL_BACK, isMomentary, type DeskMessage, type DeskPress } from "@followspot/contract";
import type { DeskState, DeskValue } from "@followspot/contract";
import type { Connection } from "@followspot/contract/connection";
import { newKey } from "../lib/new-key.ts";
import { openStageSocket, type ConnectionState } from "../lib/stage-socket.ts";

/** What a screen shows of the desk. */
export interface DeskView {
  /** Presses wait two seconds for it while it is lost. */
  readonly connection: ConnectionState;
  /** What the stage said last; undefined before it has said anything. */
  readonly state: DeskState | undefined;
  /** What was pressed here and is not taken yet, by control. */
  readonly waiting: ReadonlyMap<string, DeskValue | null>;
  /** Why the last press was refused. */
  readonly refusal: string | undefined;
  /** Presses were given up: none of them had left, or it is not known whether one arrived. Until it is dismissed. */
  readonly dropped?: "unsent" | "unknown" | undefined;
}

export interface DeskConnectionPorts {
  readonly url: string;
  readonly onView: (view: DeskView) => void;
  readonly connect?: (url: string) => WebSocket;
  readonly newId?: () => string;
}

/**
 * A press waits so long for its connection, ms. A later one would surprise people: a blackout pressed minutes ago, in the
 * middle of a show.
 */
export const PATIENCE_MS = 2000;

/** One press of a control that is on its way, and what it is to become after that. */
interface OnItsWay {
  readonly press: DeskPress;
  /** When a person pressed this control last, by the clock of this machine: it goes on while the machine sleeps. */
  pressedMs: number;
  isSent: boolean;
  /** It was sent over a connection that was lost before an answer came. */
  wasSent: boolean;
  /** Pressed again meanwhile: of several the last. */
  next: { readonly value: DeskValue | null } | undefined;
}

/**
 * One connection to the desk. A press is sent until it is taken, with the id it got when it was pressed, again after each
 * lost connection; of many presses of one control while one is on its way the last one follows. What cannot be sent within
 * {@link PATIENCE_MS} is given up and told. Knows nothing of React.
 */
export class DeskConnection {
  readonly #onView: DeskConnectionPorts["onView"];
  readonly #newId: () => string;
  readonly #waiting = new Map<string, OnItsWay>();
  /** Blinder and strobe as long as a finger is on them here: pressed again when the connection is back. */
  readonly #pressed = new Map<string, DeskValue>();
  readonly #socket: Connection;
  #connection: ConnectionState = "connecting";
  #state: DeskState | undefined;
  #refusal: string | undefined;
  #dropped: DeskView["dropped"];
  /** The stage's clock minus this machine's, ms; undefined where it does not tell its own. */
  #aheadMs: number | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor({ url, connect, onView, newId = newKey }: DeskConnectionPorts) {
    this.#onView = onView;
    this.#newId = newId;
    this.#socket = openStageSocket<DeskMessage>({
      url,
      connect,
      types: ["desk", "taken", "refused"],
      onMessage: (message) => this.#hear(message),
      onLost: (connection) => this.#lose(connection),
    });
  }

  /** @param value null gives the control back, or lets it go */
  press(control: string, value: DeskValue | null): void {
    if (this.#connection === "ended") return;
    const kind = deskControlOf(control)?.kind;
    if (kind !== undefined && isMomentary(kind)) {
      if (value === null) this.#pressed.delete(control);
      else this.#pressed.set(control, value);
    }
    // Everything that waits is given back as well, and nothing of it comes after that.
    if (control === GIVE_ALL_BACK) for (const [key, each] of this.#waiting) if (!each.isSent) this.#waiting.delete(key);
    const before = this.#waiting.get(control);
    const isLetGo = value === null && kind !== undefined && isMomentary(kind);
    if (before?.isSent) Object.assign(before, { next: { value }, pressedMs: Date.now() });
    // The stage itself releases what was pressed over a connection that was lost.
    else if (isLetGo && (before || this.#connection !== "live")) this.#waiting.delete(control);
    else this.#begin(control, value);
    this.#tell();
    this.#watch();
  }

  forgetRefusal(): void {
    this.#refusal = undefined;
    this.#tell();
  }

  forgetDropped(): void {
    this.#dropped = undefined;
    this.#tell();
  }

  close(): void {
    clearTimeout(this.#patience);
    this.#connection = "ended";
    this.#socket.close();
  }

  #begin(control: string, value: DeskValue | null, pressedMs = Date.now()): void {
    const press: DeskPress = { type: "press", id: this.#newId(), control, value };
    // Last in order, also when it takes the place of one that waited.
    this.#waiting.delete(control);
    this.#waiting.set(control, { press, pressedMs, isSent: false, wasSent: false, next: undefined });
    this.#send(control);
  }

  #send(control: string): void {
    const waiting = this.#waiting.get(control);
    if (!waiting || waiting.isSent || this.#connection !== "live") return;
    const pressed = this.#aheadMs === undefined ? {} : { pressed_at: Math.round(waiting.pressedMs + this.#aheadMs) };
    waiting.isSent = this.#socket.send(JSON.stringify({ ...waiting.press, ...pressed }));
  }

  /** Gives up what has waited too long, and looks again when the next one will have. */
  #giveUp(): void {
    const nowMs = Date.now();
    const late = [...this.#waiting].filter(([, each]) => !each.isSent && nowMs - each.pressedMs >= PATIENCE_MS);
    for (const [control] of late) this.#waiting.delete(control);
    this.#watch();
    if (late.length === 0) return;
    this.#dropped = this.#dropped === "unknown" || late.some(([, { wasSent }]) => wasSent) ? "unknown" : "unsent";
    this.#tell();
  }

  #watch(): void {
    clearTimeout(this.#patience);
    const unsent = [...this.#waiting.values()].filter(({ isSent }) => !isSent);
    if (unsent.length === 0) return;
    const first = Math.min(...unsent.map(({ pressedMs }) => pressedMs));
    this.#patience = setTimeout(() => this.#giveUp(), Math.max(0, first + PATIENCE_MS - Date.now()));
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
    // A state that was long on its way makes the stage's clock seem slow.
    if (state.now !== undefined)
      this.#aheadMs = Math.max(this.#aheadMs ?? Number.NEGATIVE_INFINITY, state.now - Date.now());
    if (this.#connection === "live") return;
    // A machine that slept has not looked meanwhile.
    this.#giveUp();
    this.#connection = "live";
    // The stage released what was pressed over the connection before.
    for (const [control, value] of this.#pressed) if (!this.#waiting.has(control)) this.#begin(control, value);
    for (const control of this.#waiting.keys()) this.#send(control);
  }

  #settle(message: Exclude<DeskMessage, DeskState>): void {
    for (const [control, { press, next, pressedMs }] of this.#waiting) {
      if (press.id !== message.id) continue;
      this.#waiting.delete(control);
      if (next) this.#begin(control, next.value, pressedMs);
    }
    this.#refusal = message.type === "refused" ? message.message : undefined;
  }

  #lose(connection: ConnectionState): void {
    for (const waiting of this.#waiting.values()) {
      waiting.wasSent ||= waiting.isSent;
      waiting.isSent = false;
    }
    this.#connection = connection;
    this.#aheadMs = undefined;
    this.#tell();
    this.#giveUp();
  }

  #tell(): void {
    const waiting = new Map<string, DeskValue | null>();
    for (const [control, { press, next }] of this.#waiting) waiting.set(control, (next ?? press).value);
    this.#onView({
      connection: this.#connection,
      state: this.#state,
      waiting,
      refusal: this.#refusal,
      dropped: this.#dropped,
    });
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
