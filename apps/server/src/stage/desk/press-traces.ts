import type { DeskMessage, DeskPress } from "@followspot/contract";
import { spanIdOf, traceIdOf, type SpanSink } from "../../platform/process/traces.ts";
import { monotonicMs, TICK_MS } from "../outputs/frame-ring.ts";
import type { Desk } from "./desk.ts";
import type { Presser } from "./desk-rules.ts";

/**
 * Ticks within which a press becomes visible, 0.23 s; later packets are only keep-alives of a press without effect. An
 * output that starts takes 0.1 s.
 */
const MOST_TICKS = 10;

/** Functions of the stage that follow a press. */
export interface FollowedStage {
  onDrawn(tell: (tick: number) => void): void;
  firstSent(tick: number): { readonly tick: number; readonly ms: number } | undefined;
}

/**
 * Traces presses on the stage: from the desk to the first packet that shows them. Trace ID and first span ID derive
 * from the presser and the press ID, as in the relay of main-api. The output thread only records when a tick was sent.
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

  /** Passes a press to the desk. @returns its answer */
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
    if (this.#desk.revision === before) return answer; // it changes nothing
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
