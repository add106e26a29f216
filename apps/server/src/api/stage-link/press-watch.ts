import { deskPressSchema } from "@followspot/contract";
import { spanIdOf, traceIdOf, type SpanSink } from "../../platform/process/traces.ts";

/** Limit of presses per console that wait for their answer; the oldest are dropped. */
const MOST_WAITING = 64;
/** Prefix of answers to presses; desk states are sent far more often. */
const ANSWER = /^\{"type":"(?:taken|refused)"/;

/**
 * Creates the first span of a press: from its arrival at this server until its answer returns to the console. The stage
 * traces the rest under the same IDs.
 */
export class PressWatch {
  readonly #spans: SpanSink;
  readonly #owner: string;
  readonly #waiting = new Map<string, { readonly control: string; readonly startMs: number }>();

  /** @param owner ID of the console's user, as sent to the stage */
  constructor(spans: SpanSink, owner: string) {
    this.#spans = spans;
    this.#owner = owner;
  }

  /** Handles a message from the console. */
  said(text: string): void {
    const press = deskPressSchema.safeParse(parsed(text)).data;
    if (!press) return;
    this.#waiting.set(press.id, { control: press.control, startMs: Date.now() });
    if (this.#waiting.size > MOST_WAITING) this.#waiting.delete(this.#waiting.keys().next().value!);
  }

  /** Handles a message from the stage. */
  answered(text: string): void {
    if (this.#waiting.size === 0 || !ANSWER.test(text)) return;
    const { id, message } = parsed(text) as { readonly id: string; readonly message?: string }; // sent by our stage
    const press = this.#waiting.get(id);
    if (!press || !this.#waiting.delete(id)) return;
    const of = ["press", this.#owner, id];
    this.#spans.add({
      traceId: traceIdOf(...of),
      id: spanIdOf(...of),
      name: "press",
      startMs: press.startMs,
      endMs: Date.now(),
      attributes: { "desk.control": press.control, "enduser.id": this.#owner },
      error: message,
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // rejected by the stage
  }
}
