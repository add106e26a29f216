import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Settings } from "./settings.ts";
import { VERSION } from "./version.ts";

/** One stretch of time in a trace, whose ids are worked out by {@link traceIdOf} and {@link spanIdOf}. */
export interface Span {
  readonly traceId: string;
  readonly id: string;
  /** The span it is a part of; undefined for the one of the whole trace. */
  readonly parentId?: string | undefined;
  readonly name: string;
  /** Ms since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Why it failed; undefined or "" when it did not. */
  readonly error?: string | undefined;
}

/** Where spans go. */
export interface SpanSink {
  add(span: Span): void;
}

const SEND_EVERY_MS = 1000;
/** A collector that has not answered by then has lost what it was sent. */
const ANSWER_MS = 5000;
/** A process that ends gives the collector so long. */
const CLOSE_MS = 300;
/** Spans that wait for the collector; beyond that the oldest are thrown away. */
const MOST_WAITING = 2048;
const MOST_AT_ONCE = 512;
const INTERNAL = 1;
const FAILED = 2;

/** The same 32 hex digits wherever they are worked out, so that processes need not tell each other the id of a trace. */
export const traceIdOf = (...parts: readonly string[]): string => digest(parts).slice(0, 32);

/** The same for a span: 16 hex digits. */
export const spanIdOf = (...parts: readonly string[]): string => digest(["span", ...parts]).slice(0, 16);

const digest = (parts: readonly string[]) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

export interface TracesOptions {
  /** Such as `http://collector:4318`: where `/v1/traces` is. */
  readonly endpoint: string;
  /** The process, such as "main-api". */
  readonly service: string;
  readonly warn: (message: string) => void;
  /** Shorter in tests. */
  readonly everyMs?: number;
  readonly answerMs?: number;
}

/**
 * Spans of this process on their way to an OpenTelemetry collector, by OTLP over HTTP in JSON. Adding one is a push to a list:
 * what a collector does not take in time is thrown away, and nothing waits for it.
 */
export class Traces implements SpanSink {
  readonly #options: TracesOptions;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];
  #lost = 0;
  #sending: Promise<void> | undefined;

  constructor(options: TracesOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#send(), options.everyMs ?? SEND_EVERY_MS).unref();
  }

  add(span: Span): void {
    if (this.#waiting.push(span) <= MOST_WAITING) return;
    this.#waiting.shift();
    this.#lost++;
  }

  /** Sends what waits. A collector that does not answer keeps no process from its end. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.race([this.#sendAll(), pause(CLOSE_MS, undefined, { ref: false })]);
  }

  async #sendAll(): Promise<void> {
    await this.#sending;
    while (this.#waiting.length > 0) await this.#send();
  }

  async #send(): Promise<void> {
    if (this.#sending || this.#waiting.length === 0) return;
    const spans = this.#waiting.splice(0, MOST_AT_ONCE);
    this.#sending = this.#post(spans).catch((error: Error) => {
      const lost = spans.length + this.#lost;
      this.#lost = 0;
      const cause = error.cause instanceof Error ? error.cause.message : error.message;
      this.#options.warn(`the collector of traces does not take spans (${cause}); ${lost} were thrown away`);
    });
    await this.#sending;
    this.#sending = undefined;
  }

  async #post(spans: readonly Span[]): Promise<void> {
    const { endpoint, service, answerMs = ANSWER_MS } = this.#options;
    const answer = await fetch(`${endpoint.replace(/\/$/, "")}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(otlpOf(service, spans)),
      redirect: "error",
      signal: AbortSignal.timeout(answerMs),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  }
}

/** Spans in the JSON form of OTLP 1 (opentelemetry-proto, `ExportTraceServiceRequest`). */
function otlpOf(service: string, spans: readonly Span[]) {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({ "service.name": `followspot-${service}`, "service.version": VERSION }),
        },
        scopeSpans: [{ scope: { name: "followspot" }, spans: spans.map(spanOf) }],
      },
    ],
  };
}

const spanOf = ({ traceId, id, parentId, name, startMs, endMs, attributes, error }: Span) => ({
  traceId,
  spanId: id,
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name,
  kind: INTERNAL,
  startTimeUnixNano: nanosOf(startMs),
  endTimeUnixNano: nanosOf(Math.max(startMs, endMs)),
  attributes: attributesOf(attributes),
  ...(error && { status: { code: FAILED, message: error } }),
});

const attributesOf = (attributes: Span["attributes"]) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));

function valueOf(value: string | number) {
  if (typeof value === "string") return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Whole µs, as a number of ns that no float can hold. */
const nanosOf = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

/** Undefined where no collector is set. */
export function openTraces(
  { FOLLOWSPOT_TRACES: endpoint }: Pick<Settings, "FOLLOWSPOT_TRACES">,
  service: string,
  warn: (message: string) => void,
): Traces | undefined {
  return endpoint === undefined ? undefined : new Traces({ endpoint, service, warn });
}
