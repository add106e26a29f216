import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Settings } from "../settings.ts";
import { VERSION } from "./version.ts";

/** A span of a trace; {@link traceIdOf} and {@link spanIdOf} compute the IDs. */
export interface Span {
  readonly traceId: string;
  readonly id: string;
  /** Parent span; undefined for the root span. */
  readonly parentId?: string | undefined;
  readonly name: string;
  /** Ms since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Reason of a failure; undefined or "" for a success. */
  readonly error?: string | undefined;
}

/** Receives spans. */
export interface SpanSink {
  add(span: Span): void;
}

const SEND_EVERY_MS = 1000;
/** Time for the collector to respond, ms; after that the spans are lost. */
const ANSWER_MS = 5000;
/** Longest wait for the collector at shutdown, ms. */
const CLOSE_MS = 300;
/** Most queued spans; beyond that, the oldest are dropped. */
const MOST_WAITING = 2048;
const MOST_AT_ONCE = 512;
const INTERNAL = 1;
const FAILED = 2;

/** Computes a trace ID of 32 hex digits. It is deterministic, so that processes need not exchange it. */
export const traceIdOf = (...parts: readonly string[]): string => digest(parts).slice(0, 32);

/** Computes a span ID of 16 hex digits, also deterministic. */
export const spanIdOf = (...parts: readonly string[]): string => digest(["span", ...parts]).slice(0, 16);

const digest = (parts: readonly string[]) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

export interface TracesOptions {
  /** Base address, such as `http://collector:4318`, for `/v1/traces`. */
  readonly endpoint: string;
  /** Name of the process, such as "main-api". */
  readonly service: string;
  readonly warn: (message: string) => void;
  /** Shorter in tests. */
  readonly everyMs?: number;
  readonly answerMs?: number;
}

/**
 * Exports the spans of this process to an OpenTelemetry collector, by OTLP over HTTP in JSON. Adding a span only
 * appends to a list: spans that a collector does not accept in time are dropped, and nothing waits for it.
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

  /** Sends queued spans. An unresponsive collector does not delay the end of the process. */
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

/** Formats spans as OTLP 1 JSON (opentelemetry-proto, `ExportTraceServiceRequest`). */
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

/** Rounds to whole µs and returns ns, which exceed the precision of a float. */
const nanosOf = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

/** Returns the exporter; undefined if no collector is configured. */
export function openTraces(
  { FOLLOWSPOT_TRACES: endpoint }: Pick<Settings, "FOLLOWSPOT_TRACES">,
  service: string,
  warn: (message: string) => void,
): Traces | undefined {
  return endpoint === undefined ? undefined : new Traces({ endpoint, service, warn });
}
