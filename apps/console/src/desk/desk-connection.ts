import { deskControlOf, GIVE_ALL_BACK, isMomentary, type DeskMessage, type DeskPress } from "@followspot/contract";
import type { DeskState, DeskValue } from "@followspot/contract";
import type { Connection } from "@followspot/contract/connection";
import { newKey } from "../lib/new-key.ts";
import { openStageSocket, type ConnectionState } from "../lib/stage-socket.ts";

/** State of the desk for screens. */
export interface DeskView {
  /** State of the connection; while it is lost, presses wait for 2 s. */
  readonly connection: ConnectionState;
  /** Last state from the stage; undefined before its first message. */
  readonly state: DeskState | undefined;
  /** Presses on this console that are not acknowledged yet, by control. */
  readonly waiting: ReadonlyMap<string, DeskValue | null>;
  /** Reason why the last press was refused. */
  readonly refusal: string | undefined;
  /**
   * Whether presses were discarded: "unsent" if none was sent, "unknown" if one may have arrived. Stays until it is
   * dismissed.
   */
  readonly dropped?: "unsent" | "unknown" | undefined;
}

export interface DeskConnectionPorts {
  readonly url: string;
  readonly onView: (view: DeskView) => void;
  readonly connect?: (url: string) => WebSocket;
  readonly newId?: () => string;
}

/**
 * Maximum time that a press waits for the connection, ms; then it is discarded. A later press could surprise people,
 * such as an old blackout in the middle of a show.
 */
export const PATIENCE_MS = 2000;

/** A press in progress, with the next value of its control. */
interface OnItsWay {
  readonly press: DeskPress;
  /** Time of the last press of this control on this machine's clock, which continues during sleep, ms since 1970. */
  pressedMs: number;
  isSent: boolean;
  /** Whether the press was sent over a connection that was lost before the acknowledgment. */
  wasSent: boolean;
  /** Last value pressed while an answer is awaited; undefined if there is none. */
  next: { readonly value: DeskValue | null } | undefined;
}

/**
 * Connection to the desk. A press is sent until it is acknowledged, again after each reconnect, with the ID from its
 * first attempt. While a press of a control is in progress, only the last of further presses follows. Presses that
 * cannot be sent within {@link PATIENCE_MS} are discarded and reported. Independent of React.
 */
export class DeskConnection {
  readonly #onView: DeskConnectionPorts["onView"];
  readonly #newId: () => string;
  readonly #waiting = new Map<string, OnItsWay>();
  /** Blinder and strobe that are held on this console; pressed again after a reconnect. */
  readonly #pressed = new Map<string, DeskValue>();
  readonly #socket: Connection;
  #connection: ConnectionState = "connecting";
  #state: DeskState | undefined;
  #refusal: string | undefined;
  #dropped: DeskView["dropped"];
  /** The stage's clock minus this machine's, ms; undefined if the stage does not report its clock. */
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

  /** @param value null releases the control */
  press(control: string, value: DeskValue | null): void {
    if (this.#connection === "ended") return;
    const kind = deskControlOf(control)?.kind;
    if (kind !== undefined && isMomentary(kind)) {
      if (value === null) this.#pressed.delete(control);
      else this.#pressed.set(control, value);
    }
    // All pending presses are released as well, and none may follow.
    if (control === GIVE_ALL_BACK) for (const [key, each] of this.#waiting) if (!each.isSent) this.#waiting.delete(key);
    const before = this.#waiting.get(control);
    const isLetGo = value === null && kind !== undefined && isMomentary(kind);
    if (before?.isSent) Object.assign(before, { next: { value }, pressedMs: Date.now() });
    // The stage releases momentary controls of a lost connection.
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
    // Moves the press to the end of the order, also if it replaces a pending one.
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

  /** Discards presses that waited too long, and schedules the next check. */
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
    // Unchanged parts of the rig, and parts that a restarted stage has not loaded yet, remain the same objects, so that
    // nothing is derived from them again.
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
    // A delayed message makes the stage's clock seem slow, so the largest difference counts.
    if (state.now !== undefined)
      this.#aheadMs = Math.max(this.#aheadMs ?? Number.NEGATIVE_INFINITY, state.now - Date.now());
    if (this.#connection === "live") return;
    // Timers do not run while the machine sleeps.
    this.#giveUp();
    this.#connection = "live";
    // The stage released these controls when the previous connection was lost.
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

/**
 * Returns the value that a control shows here: the pending press, otherwise the held value; undefined if the control is
 * not held.
 */
export function shownValue({ state, waiting }: DeskView, control: string): DeskValue | undefined {
  const pressed = waiting.get(control);
  if (pressed !== undefined) return pressed ?? undefined;
  return state?.hands[control]?.value;
}

function newest<T extends object>(before: T | undefined, now: T | undefined): T | undefined {
  return now && JSON.stringify(before) !== JSON.stringify(now) ? now : before;
}
