import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** Span as received, with its times in ms since 1970. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly error: string;
}

/** Collector on loopback for spans by OTLP over HTTP. */
export interface TraceCollector {
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  /** Behavior for requests: accepts them, rejects them, or never responds. */
  mood: "takes" | "refuses" | "hangs";
  /** Number of received requests. */
  requests: number;
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    collector.requests++;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (collector.mood === "hangs") return;
      if (collector.mood === "refuses" || request.method !== "POST" || request.url !== "/v1/traces")
        return void response.writeHead(503).end();
      collector.spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString())));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const collector: TraceCollector = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    mood: "takes",
    requests: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}

function spansOf({ resourceSpans }: any): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        service: valuesOf(resource.attributes)["service.name"],
        traceId: span.traceId,
        id: span.spanId,
        parentId: span.parentSpanId ?? "",
        name: span.name,
        startMs: Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000,
        endMs: Number(BigInt(span.endTimeUnixNano) / 1000n) / 1000,
        attributes: valuesOf(span.attributes),
        error: span.status?.message ?? "",
      })),
    ),
  );
}

const valuesOf = (attributes: any[]): Record<string, string | number> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  );
