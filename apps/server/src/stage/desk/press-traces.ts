import type { DeskMessage, DeskPress } from "@followspot/contract";
import { spanIdOf, traceIdOf, type SpanSink } from "../../platform/traces.ts";
import { monotonicMs, TICK_MS } from "../outputs/frame-ring.ts";
import type { Desk } from "./desk.ts";
import type { Presser } from "./desk-rules.ts";

/**
 * A press is shown within so many ticks, 0.23 s, or changes no light: an output that begins takes 0.1 s, and a packet later than
 * that only keeps a node awake.
 */
const MOST_TICKS = 10;

/** What of the stage a press is followed on. */
export interface FollowedStage {
  onDrawn(tell: (tick: number) => void): void;
  firstSent(tick: number): { readonly tick: number; readonly ms: number } | undefined;
}

/**
 * Traces of presses on the stage: the desk takes one, and the first packet that shows it leaves. The trace and its first span
 * are known by who pressed and the id of the press, as the relay of main-api knows them too. The output thread notes when
 * a tick left, and nothing else.
 */
export class PressTraces {
  readonly #spans: SpanSink;
  readonly #desk: Pick<Desk, "press" | "revision">;
  readonly #stage: FollowedStage;

  constructor(spans: SpanSink, desk: Pick<Desk, "press" | "revision">, stage: FollowedStage) {
    this.#spans = spans;
    this.#desk = desk;
    this.#stage = stage;
  }

  /** Hands a press to the desk. @returns its answer */
  press(press: DeskPress, by: Presser): DeskMessage {
    const [before, receivedMs] = [this.#desk.revision, Date.now()];
    let drawn: number | undefined;
    let takenMs: number | undefined;
    const follow = () => {
      if (drawn !== undefined && takenMs !== undefined) this.#look(press, by, takenMs, drawn, 2 * MOST_TICKS);
    };
    this.#stage.onDrawn((tick) => {
      drawn = tick;
      follow();
    });
    const answer = this.#desk.press(press, by);
    const now = Date.now();
    const error = answer.type === "refused" ? answer.message : "";
    this.#add("taken by the desk", press, by, [receivedMs, now], { error });
    if (this.#desk.revision === before) return answer; // lamps show it already
    takenMs = now;
    follow();
    return answer;
  }

  #look(press: DeskPress, by: Presser, takenMs: number, tick: number, left: number): void {
    const sent = this.#stage.firstSent(tick);
    if (sent && sent.tick - tick > MOST_TICKS) return;
    if (sent) {
      const sentMs = Date.now() - (monotonicMs() - sent.ms);
      return this.#add("first packet", press, by, [takenMs, sentMs], { tick: sent.tick });
    }
    if (left > 0) setTimeout(() => this.#look(press, by, takenMs, tick, left - 1), TICK_MS).unref();
  }

  #add(
    name: string,
    { id, control }: DeskPress,
    { owner }: Presser,
    [startMs, endMs]: readonly [number, number],
    { tick, error }: { readonly tick?: number; readonly error?: string },
  ): void {
    const of = ["press", owner, id];
    this.#spans.add({
      traceId: traceIdOf(...of),
      id: spanIdOf(...of, name),
      parentId: spanIdOf(...of),
      name,
      startMs,
      endMs,
      error,
      attributes: { "desk.control": control, ...(tick !== undefined && { "dmx.tick": tick }) },
    });
  }
}
