import { randomUUID } from "node:crypto";
import { deskPressSchema, type DeskHand, type DeskMessage, type DeskPress } from "@followspot/contract";
import { monotonicMs } from "../outputs/frame-ring.ts";
import {
  lineGone,
  only,
  pressed,
  problemOf,
  takenUp,
  withGroups,
  type Hands,
  type Moment,
  type Presser,
} from "./desk-rules.ts";

/** Answers that are remembered for presses that are said again. */
const REMEMBERED = 4096;
/** Strobing goes on counting over pauses shorter than this. */
const STROBE_PAUSE_MS = 1000;

/**
 * The one desk all consoles, phones, MIDI controllers and OSC senders share. Of two presses the later wins; each counts
 * once, however often its line breaks. What it does to light is drawn by others (`desk-scene.ts`, `desk-look.ts`).
 */
export class Desk {
  /** Another one for every run of the stage. */
  readonly run = randomUUID();
  readonly #position: () => number | undefined;
  readonly #onChange: () => void;
  readonly #answers = new Map<string, DeskMessage>();
  #hands: Hands = {};
  #revision = 0;
  #groups: ReadonlySet<string> = new Set();
  #strobe = { startedMs: Number.NEGATIVE_INFINITY, endedMs: Number.NEGATIVE_INFINITY };
  #songId = "";

  /** @param position song time of the show on the lamps; undefined while there is none */
  constructor(position: () => number | undefined, onChange: () => void) {
    this.#position = position;
    this.#onChange = onChange;
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

  /** One press. What is no press is refused, what was answered before is answered again. */
  press(press: DeskPress, by: Presser): DeskMessage {
    const known = `${by.owner} ${press.id}`;
    const before = this.#answers.get(known);
    if (before) return before;
    const answer = this.#take(press, by);
    this.#answers.set(known, answer);
    if (this.#answers.size > REMEMBERED) this.#answers.delete(this.#answers.keys().next().value!);
    return answer;
  }

  /** What is pressed without a message of the desk: by HTTP. */
  set(control: string, value: DeskPress["value"], by: Presser): void {
    this.#take({ type: "press", id: "", control, value }, by);
  }

  /** A line is gone; it lets go what it pressed. */
  leave(line: string): void {
    this.#become(lineGone(this.#hands, line));
  }

  /** The groups there are. */
  setGroups(groups: ReadonlySet<string>): void {
    this.#groups = groups;
    this.#become(withGroups(this.#hands, groups));
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
    const problem = problemOf(press, this.#groups) ?? this.#cannotHold(press);
    if (problem !== undefined) return { type: "refused", id: press.id, message: problem };
    this.#become(pressed(this.#hands, press, by, this.#now()));
    return { type: "taken", id: press.id, revision: this.#revision };
  }

  #cannotHold({ control, value }: DeskPress): string | undefined {
    if (control !== "hold" || value === null || this.#position() !== undefined) return undefined;
    return "Nothing plays that could be held.";
  }

  #now(): Moment {
    return { epochMs: Date.now(), monotonicMs: monotonicMs(), position: this.#position() ?? 0 };
  }

  #become(hands: Hands): void {
    if (hands === this.#hands) return;
    this.#hands = this.#strobing(hands);
    this.#revision++;
    this.#onChange();
  }

  /** Let go and pressed again at once, a strobe has not begun anew: its longest time runs on. */
  #strobing(hands: Hands): Hands {
    const [before, after] = [this.#hands["strobe"], hands["strobe"]];
    if (before && !after) this.#strobe = { startedMs: before.sinceMs, endedMs: monotonicMs() };
    if (before || !after || after.sinceMs - this.#strobe.endedMs > STROBE_PAUSE_MS) return hands;
    return { ...hands, strobe: { ...after, sinceMs: this.#strobe.startedMs } };
  }
}

/** Undefined for what is no press. */
export function readPress(text: string): DeskPress | undefined {
  try {
    return deskPressSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // not JSON: the caller refuses it
  }
}
