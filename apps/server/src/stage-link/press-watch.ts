import { deskPressSchema } from "@followspot/contract";
import { spanIdOf, traceIdOf, type SpanSink } from "../platform/traces.ts";

/** Presses of one console that wait for their answer; older ones are forgotten. */
const MOST_WAITING = 64;
/** How the answers to presses begin; a console is told the whole desk far more often. */
const ANSWER = /^\{"type":"(?:taken|refused)"/;

/**
 * The first span of a press: from its coming to this server until its answer goes back to the console. The stage traces the
 * rest under the same ids.
 */
export class PressWatch {
  readonly #spans: SpanSink;
  readonly #owner: string;
  readonly #waiting = new Map<string, { readonly control: string; readonly startMs: number }>();

  /** @param owner id of whose console it is, as the stage is told */
  constructor(spans: SpanSink, owner: string) {
    this.#spans = spans;
    this.#owner = owner;
  }

  /** The console said something. */
  said(text: string): void {
    const press = deskPressSchema.safeParse(parsed(text)).data;
    if (!press) return;
    this.#waiting.set(press.id, { control: press.control, startMs: Date.now() });
    if (this.#waiting.size > MOST_WAITING) this.#waiting.delete(this.#waiting.keys().next().value!);
  }

  /** The stage said something. */
  answered(text: string): void {
    if (this.#waiting.size === 0 || !ANSWER.test(text)) return;
    const { id, message } = parsed(text) as { readonly id: string; readonly message?: string }; // of our stage
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
    return undefined; // the stage refuses it
  }
}
