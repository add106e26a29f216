import { randomUUID } from "node:crypto";
import {
  deskControlOf,
  deskPressSchema,
  HAZE,
  IDENTIFY,
  isMomentary,
  LATE_PRESS_MS,
  type DeskGroup,
  type DeskHand,
  type DeskMessage,
  type DeskPress,
  type DeskState,
} from "@followspot/contract";
import { monotonicMs } from "../outputs/frame-ring.ts";
import {
  connectionEnded,
  nextEnd,
  only,
  pressed,
  problemOf,
  takenUp,
  withoutEnded,
  withRig,
  type DeskRig,
  type Hands,
  type LongestMs,
  type Moment,
  type Presser,
} from "./desk-rules.ts";

/** Number of acknowledged presses cached for deduplication of retries. */
const REMEMBERED = 4096;
/** Strobe bursts separated by less than this count as one burst, ms. */
const STROBE_PAUSE_MS = 1000;

export interface DeskOptions {
  /** Duration of an identify flash, ms. */
  readonly identifyMs?: number;
  /** Returns why a live sound source is unavailable; undefined if it is available. */
  readonly soundProblem?: (source: string) => string | undefined;
  /** Time until the end of the current bar, ms; undefined without a beat grid. */
  readonly barLeftMs?: () => number | undefined;
}

/**
 * The single desk that all consoles, phones, MIDI controllers and OSC senders share. The last press wins. Presses are
 * idempotent: a retry after a reconnect is applied once. `desk-scene.ts` and `desk-look.ts` render the effect on the
 * light.
 */
export class Desk {
  /** ID of this stage process; changes with each restart. */
  readonly run = randomUUID();
  readonly #position: () => number | undefined;
  readonly #onChange: () => void;
  readonly #longest: LongestMs;
  readonly #soundProblem: (source: string) => string | undefined;
  readonly #barLeftMs: () => number | undefined;
  readonly #answers = new Map<string, DeskMessage>();
  #hands: Hands = {};
  #revision = 0;
  /** Undefined until the rig has been loaded. */
  #rig: DeskRig | undefined;
  /** Fires when the next momentary control expires. */
  #end: NodeJS.Timeout | undefined;
  #strobe = { startedMs: Number.NEGATIVE_INFINITY, endedMs: Number.NEGATIVE_INFINITY };
  #songId = "";

  /** @param position song time of the visible show; undefined without a show */
  constructor(
    position: () => number | undefined,
    onChange: () => void,
    { identifyMs = IDENTIFY.ms, soundProblem = () => undefined, barLeftMs = () => undefined }: DeskOptions = {},
  ) {
    this.#position = position;
    this.#onChange = onChange;
    this.#longest = { identify: identifyMs, haze: HAZE.ms };
    this.#soundProblem = soundProblem;
    this.#barLeftMs = barLeftMs;
  }

  get hands(): Hands {
    return this.#hands;
  }

  get revision(): number {
    return this.#revision;
  }

  get blackout(): boolean {
    return "blackout" in this.#hands;
  }

  /** Undefined until the rig has been loaded. */
  get groups(): readonly DeskGroup[] | undefined {
    return this.#rig && [...this.#rig.groups].map(([id, name]) => ({ id, name }));
  }

  /** Moving lights, their positions and the number of hazers; undefined until the rig has been loaded. */
  get means(): Pick<DeskState, "movers" | "positions" | "hazers"> | undefined {
    if (!this.#rig) return undefined;
    const { movers, positions, hazers } = this.#rig;
    return { movers: [...movers], positions, hazers };
  }

  /** Applies one press. An invalid press is rejected; a repeated press gets its first answer again. */
  press(press: DeskPress, by: Presser): DeskMessage {
    const known = `${by.owner} ${press.id}`;
    const before = this.#answers.get(known);
    if (before) return before;
    const answer = isLate(press)
      ? ({ type: "refused", id: press.id, message: "It came too late: the connection had hung." } as const)
      : this.#take(press, by);
    this.#answers.set(known, answer);
    if (this.#answers.size > REMEMBERED) this.#answers.delete(this.#answers.keys().next().value!);
    return answer;
  }

  /** Applies a press that arrives by HTTP, not as a message of the desk. */
  set(control: string, value: DeskPress["value"], by: Presser): void {
    this.#take({ type: "press", id: "", control, value }, by);
  }

  /** Releases the controls that a lost connection pressed. */
  leave(connection: string): void {
    this.#become(connectionEnded(this.#hands, connection));
  }

  /** Sets the known groups and lights. */
  setRig(rig: DeskRig): void {
    this.#rig = rig;
    this.#become(withRig(this.#hands, rig));
  }

  /** Returns the label of a light; undefined if it does not exist. */
  labelOf(lightId: number): string | undefined {
    return this.#rig?.lights.get(lightId);
  }

  close(): void {
    clearTimeout(this.#end);
  }

  /** Releases hold on a song change: a look is held within its song. */
  songIs(songId: string): void {
    if (songId === this.#songId) return;
    this.#songId = songId;
    this.#become(only(this.#hands, (key) => key !== "hold"));
  }

  /** Restores the controls of an earlier stage process. */
  takeUp(kept: Readonly<Record<string, DeskHand>>): void {
    this.#become(takenUp(kept, monotonicMs()));
  }

  #take(press: DeskPress, by: Presser): DeskMessage {
    const problem = problemOf(press, this.#rig) ?? this.#cannotHold(press) ?? this.#cannotHear(press);
    if (problem !== undefined) return { type: "refused", id: press.id, message: problem };
    this.#become(pressed(this.#hands, press, by, this.#now()));
    return { type: "taken", id: press.id, revision: this.#revision };
  }

  #cannotHold({ control, value }: DeskPress): string | undefined {
    if (control !== "hold" || value === null || this.#position() !== undefined) return undefined;
    return "Nothing plays that could be held.";
  }

  #cannotHear({ control, value }: DeskPress): string | undefined {
    return control === "sound" && value !== null ? this.#soundProblem(String(value)) : undefined;
  }

  #now(): Moment {
    const [position, barLeftMs] = [this.#position() ?? 0, this.#barLeftMs()];
    return { epochMs: Date.now(), monotonicMs: monotonicMs(), position, barLeftMs };
  }

  #become(hands: Hands): void {
    if (hands === this.#hands) return;
    this.#hands = this.#strobing(hands);
    this.#revision++;
    this.#onChange();
    this.#endInTime();
  }

  /** Ends identify after its time, and haze that is held too long, so that it cannot fill the hall. */
  #endInTime(): void {
    clearTimeout(this.#end);
    const at = nextEnd(this.#hands, this.#longest);
    if (at === undefined) return;
    const end = () => this.#become(withoutEnded(this.#hands, this.#longest, at));
    this.#end = setTimeout(end, at - monotonicMs()).unref();
  }

  /** Continues the time limit of a strobe that is released and pressed again at once. */
  #strobing(hands: Hands): Hands {
    const [before, after] = [this.#hands["strobe"], hands["strobe"]];
    if (before && !after) this.#strobe = { startedMs: before.sinceMs, endedMs: monotonicMs() };
    if (before || !after || after.sinceMs - this.#strobe.endedMs > STROBE_PAUSE_MS) return hands;
    return { ...hands, strobe: { ...after, sinceMs: this.#strobe.startedMs } };
  }
}

/** Whether a press was delayed on its way and is no longer expected. A release is never too late. */
function isLate({ control, value, pressed_at }: DeskPress): boolean {
  const kind = deskControlOf(control)?.kind;
  const letsGo = value === null && kind !== undefined && isMomentary(kind);
  return !letsGo && pressed_at !== undefined && Date.now() - pressed_at > LATE_PRESS_MS;
}

/** Parses a press; undefined if it is invalid. */
export function readPress(text: string): DeskPress | undefined {
  try {
    return deskPressSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // not JSON: the caller rejects it
  }
}
