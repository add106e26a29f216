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

/** Answers that are remembered for presses that are said again. */
const REMEMBERED = 4096;
/** Strobing goes on counting over pauses shorter than this. */
const STROBE_PAUSE_MS = 1000;

export interface DeskOptions {
  /** How long a lamp is looked for. */
  readonly identifyMs?: number;
  /** Why live sound cannot be had from a source now. */
  readonly soundProblem?: (source: string) => string | undefined;
  /** How long the bar still is that plays, ms. */
  readonly barLeftMs?: () => number | undefined;
}

/**
 * The one desk that all consoles, phones, MIDI controllers and OSC senders share. Of two presses the later wins; each
 * counts once, however often its connection is lost. `desk-scene.ts` and `desk-look.ts` draw what it does to the light.
 */
export class Desk {
  /** Another one for every run of the stage. */
  readonly run = randomUUID();
  readonly #position: () => number | undefined;
  readonly #onChange: () => void;
  readonly #longest: LongestMs;
  readonly #soundProblem: (source: string) => string | undefined;
  readonly #barLeftMs: () => number | undefined;
  readonly #answers = new Map<string, DeskMessage>();
  #hands: Hands = {};
  #revision = 0;
  /** Undefined until it is known what there is. */
  #rig: DeskRig | undefined;
  /** Ends what ends by itself. */
  #end: NodeJS.Timeout | undefined;
  #strobe = { startedMs: Number.NEGATIVE_INFINITY, endedMs: Number.NEGATIVE_INFINITY };
  #songId = "";

  /** @param position song time of the show on the lamps; undefined while there is none */
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

  /** Undefined until the rig is known. */
  get groups(): readonly DeskGroup[] | undefined {
    return this.#rig && [...this.#rig.groups].map(([id, name]) => ({ id, name }));
  }

  /** What can be aimed, pointed at what, and made to haze; undefined until the rig is known. */
  get means(): Pick<DeskState, "movers" | "positions" | "hazers"> | undefined {
    if (!this.#rig) return undefined;
    const { movers, positions, hazers } = this.#rig;
    return { movers: [...movers], positions, hazers };
  }

  /** One press. What is no press is refused, what was answered before is answered again. */
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

  /** What is pressed without a message of the desk: by HTTP. */
  set(control: string, value: DeskPress["value"], by: Presser): void {
    this.#take({ type: "press", id: "", control, value }, by);
  }

  /** A connection is lost; it releases what it pressed. */
  leave(connection: string): void {
    this.#become(connectionEnded(this.#hands, connection));
  }

  /** The groups and lights there are. */
  setRig(rig: DeskRig): void {
    this.#rig = rig;
    this.#become(withRig(this.#hands, rig));
  }

  /** What a light is called; undefined for one that is not there. */
  labelOf(lightId: number): string | undefined {
    return this.#rig?.lights.get(lightId);
  }

  close(): void {
    clearTimeout(this.#end);
  }

  /** A look is held within its song: the next one starts free. */
  songIs(songId: string): void {
    if (songId === this.#songId) return;
    this.#songId = songId;
    this.#become(only(this.#hands, (key) => key !== "hold"));
  }

  /** What an earlier run of the stage left. */
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

  /** A lamp that is looked for is found by then, or pressed again; and a finger that stays on haze fills no hall. */
  #endInTime(): void {
    clearTimeout(this.#end);
    const at = nextEnd(this.#hands, this.#longest);
    if (at === undefined) return;
    const end = () => this.#become(withoutEnded(this.#hands, this.#longest, at));
    this.#end = setTimeout(end, at - monotonicMs()).unref();
  }

  /** Let go and pressed again at once, a strobe has not begun anew: its longest time runs on. */
  #strobing(hands: Hands): Hands {
    const [before, after] = [this.#hands["strobe"], hands["strobe"]];
    if (before && !after) this.#strobe = { startedMs: before.sinceMs, endedMs: monotonicMs() };
    if (before || !after || after.sinceMs - this.#strobe.endedMs > STROBE_PAUSE_MS) return hands;
    return { ...hands, strobe: { ...after, sinceMs: this.#strobe.startedMs } };
  }
}

/** A press that hung on its way, and comes when it is not expected any more. What is let go is let go however late. */
function isLate({ control, value, pressed_at }: DeskPress): boolean {
  const kind = deskControlOf(control)?.kind;
  const letsGo = value === null && kind !== undefined && isMomentary(kind);
  return !letsGo && pressed_at !== undefined && Date.now() - pressed_at > LATE_PRESS_MS;
}

/** Undefined for what is no press. */
export function readPress(text: string): DeskPress | undefined {
  try {
    return deskPressSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // not JSON: the caller refuses it
  }
}
