import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { create, type DescMessage, type DescMethod, type JsonValue } from "@bufbuild/protobuf";
import type { Path } from "@bufbuild/protobuf/reflect";
import { createValidator, violationsToProto, type Violation } from "@bufbuild/protovalidate";
import {
  Code,
  ConnectError,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type ConnectRouter,
  type ContextValues,
  type Interceptor,
} from "@connectrpc/connect";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorToJson } from "@connectrpc/connect/protocol-connect";
import { isReading } from "@followspot/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { IncomingHttpHeaders } from "node:http";
import { isPublic, requireAccess } from "./access.ts";
import { registerCallsTogether } from "./calls-together.ts";
import { limitCalls } from "./call-limits.ts";
import { callerKey, type Caller } from "../caller.ts";
import type { Sql } from "../database/database.ts";
import { databaseFault, isDatabaseSpent } from "../database/database-fault.ts";
import type { NoteFailure } from "../database/database-watch.ts";
import { cleanNames } from "./clean-names.ts";
import { exhausted, invalid, unauthenticated, unavailable } from "../errors.ts";
import { repeatAnswers } from "../database/idempotency.ts";
import { jsonInSlices } from "./in-slices.ts";
import { dropsUnknownFields, parseJson, readBody, readyRequest, unpack } from "./request-body.ts";

const MIB = 1024 * 1024;
/** Size of an image of 8 MiB in base64, with its message. */
const MAX_IMAGE_REQUEST_BYTES = 12 * MIB;
const MAX_REQUEST_BYTES = MIB;
/** Methods without a sign-in receive only a code, a name and an address. */
const MAX_PUBLIC_REQUEST_BYTES = 16 * 1024;
/**
 * Most queued requests for whole lists. A response of 10,000 rows takes 0.15 s, so that no caller waits longer than a
 * few seconds.
 */
const MOST_WHOLE_LISTS = 40;
/** Most queued whole lists of one caller, so that at least ten callers share the queue. */
const MAX_WHOLE_LISTS_OF_CALLER = 4;
/** Retry-After for a fault that lasts "a moment" or "a few seconds". */
const MOMENT_SECONDS = 5;
const NO_SPACE = "There is no space left on the database's disk.";
const JSON_TYPE = /^application\/json\s*(;\s*charset=utf-8\s*)?$/i;

/** Network address of the caller, for limits; taken from a header only behind a trusted proxy. */
export const addressKey = createContextKey("");
/** Request ID, as in the response and the log. */
const requestIdKey = createContextKey("");
/** JSON of a whole list. */
const wholeListKey = createContextKey<Buffer | undefined>(undefined);

export interface RpcPorts {
  readonly sql: Sql;
  /** Secret of the installation; encrypts stored answers. */
  readonly secret: Uint8Array;
  /** Authenticates the sender of the headers; undefined without a sign-in. */
  readonly authenticate: (headers: IncomingHttpHeaders) => Promise<Caller | undefined>;
  readonly routes: readonly ((router: ConnectRouter) => void)[];
  readonly noteFailure: NoteFailure;
  /**
   * Called for every call that reached its method, for metrics. `code` is "ok" or the name of the Connect code, such as
   * NotFound.
   */
  readonly onCall?: (method: string, code: string, seconds: number) => void;
}

/** Route of every call. */
const CALLS = "/followspot.*";

/** Mounts every service: Connect protocol, JSON, POST; default deny. */
export async function registerRpc(fastify: FastifyInstance, ports: RpcPorts): Promise<void> {
  const methods = methodsByPath(ports.routes);
  const callers = new WeakMap<FastifyRequest, Caller>();
  const handlers = new Map<string, UniversalHandler>();
  const { noteFailure } = ports;

  await fastify.register(async (scope) => {
    // Before the body is read, so that large bodies of unauthenticated callers are never parsed.
    scope.addHook("onRequest", async (request, reply) => {
      const method = methods.get(pathOf(request));
      if (!method) return replyNotFound(request, reply);
      try {
        if (!isPublic(method)) {
          const caller = hasOneAuthorization(request) ? await ports.authenticate(request.headers) : undefined;
          requireAccess(method, caller);
          if (caller) callers.set(request, caller);
        }
      } catch (error) {
        return replyError(reply, toRefusal(method, error, noteFailure, request.id));
      }
      if (request.method !== "POST") {
        return replyError(
          reply.header("allow", "POST"),
          new ConnectError("Send a POST request", Code.Unimplemented),
          405,
        );
      }
      if (!JSON_TYPE.test(request.headers["content-type"] ?? "")) {
        return replyError(reply, new ConnectError("Send application/json", Code.Unknown), 415);
      }
      if (Number(request.headers["content-length"] ?? 0) > maxRequestBytes(method)) {
        return replyError(reply, new ConnectError("The request is too large", Code.ResourceExhausted), 413);
      }
    });
    scope.addHook("preHandler", async (request, reply) => {
      const method = methods.get(pathOf(request));
      if (!method) return;
      try {
        const limit = maxRequestBytes(method);
        const body = await readBody(request.raw, limit);
        const json = parseJson(await unpack(body, request.headers["content-encoding"], limit));
        request.body = readyRequest(method.input, json, dropsUnknownFields(request.headers));
      } catch (error) {
        const refusal = toRefusal(method, error, noteFailure, request.id);
        return replyError(reply, refusal, refusal.code === Code.DeadlineExceeded ? 408 : undefined);
      }
    });
    const router = createConnectRouter({
      grpc: false,
      grpcWeb: false,
      // Brotli at the library's quality takes seconds where gzip takes milliseconds.
      acceptCompression: [compressionGzip],
      readMaxBytes: MAX_IMAGE_REQUEST_BYTES,
      interceptors: [
        countCalls(ports.onCall),
        translateErrors(noteFailure),
        enforceAccess,
        validateRequests(),
        repeatAnswers(ports.sql, ports.secret),
        limitCalls(ports.sql),
        oneWholeListAtATime(),
      ],
    });
    ports.routes.forEach((mount) => mount(router));
    scope.addContentTypeParser("application/json", (_request, _payload, done) => done(null)); // read above
    for (const handler of router.handlers) handlers.set(handler.requestPath, handler);
    // One route for all methods: a route per path and verb would take most of the API's startup time.
    scope.all(CALLS, async (request, reply) => {
      const handler = handlers.get(pathOf(request));
      if (!handler) return replyNotFound(request, reply);
      await answerCall(handler, request, reply, contextOf(callers.get(request), request));
    });
  });
  await registerCallsTogether(fastify, {
    admit: async (request) => {
      const caller = hasOneAuthorization(request) ? await ports.authenticate(request.headers) : undefined;
      if (!caller) throw unauthenticated();
      if (!JSON_TYPE.test(request.headers["content-type"] ?? "")) throw invalid("Send application/json");
      callers.set(request, caller);
    },
    answer: async ({ method, message }, request, signal) => {
      const handler = handlers.get(`/followspot.${method}`);
      try {
        if (!handler) throw new ConnectError("No such method or page", Code.Unimplemented);
        requireAccess(handler.method, callers.get(request));
        const body = readyRequest(handler.method.input, message, dropsUnknownFields(request.headers)) as JsonValue;
        return await answerOfMany(handler, body, contextOf(callers.get(request), request), signal);
      } catch (error) {
        const refusal = toRefusal(handler?.method ?? method, error, noteFailure, request.id);
        const status = handler ? codeToHttpStatus(refusal.code) : 404;
        return { status, json: JSON.stringify(errorToJson(refusal, undefined)) };
      }
    },
  });
}

/** Answers a call of a batch with Connect. */
async function answerOfMany(
  handler: UniversalHandler,
  body: JsonValue,
  context: ContextValues,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly json: string }> {
  const answer = await handler({
    httpVersion: "1.1",
    url: `http://localhost${handler.requestPath}`,
    method: "POST",
    header: new Headers({ "content-type": "application/json" }),
    body,
    signal,
    contextValues: context,
  });
  const whole = context.get(wholeListKey);
  return { status: answer.status, json: whole?.toString() ?? (await textOf(answer.body)) };
}

async function textOf(body: UniversalServerResponse["body"]): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/**
 * Answers a call with Connect. The framework's headers are copied by hand, because the response bypasses the framework.
 * For a whole list, whose body was built in slices, only the head comes from Connect.
 */
async function answerCall(
  handler: UniversalHandler,
  { raw, body }: FastifyRequest,
  reply: FastifyReply,
  context: ContextValues,
): Promise<void> {
  try {
    const answer = await handler(universalRequestFromNodeRequest(raw, reply.raw, body as JsonValue, context));
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    const whole = context.get(wholeListKey);
    await universalResponseToNodeResponse(whole ? await withBody(answer, whole, raw.headers) : answer, reply.raw);
  } catch (error) {
    // The client has disconnected.
    if (ConnectError.from(error).code !== Code.Aborted) throw error;
  }
}

async function withBody(
  answer: UniversalServerResponse,
  whole: Buffer,
  { "accept-encoding": accepted = "" }: IncomingHttpHeaders,
): Promise<UniversalServerResponse> {
  const header = new Headers(answer.header);
  const isPacked = /\bgzip\b/.test(String(accepted));
  const bytes = isPacked ? await promisify(gzip)(whole) : whole;
  if (isPacked) header.set("content-encoding", "gzip");
  header.set("content-length", String(bytes.byteLength));
  return { ...answer, header, body: (async function* () { yield bytes; })() }; // prettier-ignore
}

/** Replies with a Connect error for an unknown path; also the server's not-found handler. */
export function replyNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The response does not repeat the path, which comes from the caller.
  return replyError(reply, new ConnectError("No such method or page", Code.Unimplemented), 404);
}

/** Writes a Connect error body on a plain route. */
export function replyError(
  reply: FastifyReply,
  error: ConnectError,
  status = codeToHttpStatus(error.code),
): FastifyReply {
  // Sent as bytes, because the framework would add a charset to text.
  const body = Buffer.from(JSON.stringify(errorToJson(error, undefined)));
  for (const [name, value] of error.metadata) reply.header(name, value);
  return reply.status(status).header("content-type", "application/json").send(body);
}

/**
 * Converts a failure to an error for the caller; internal errors are logged with their cause.
 * @param isRead whether a plain route stores nothing; a method is known by its name
 */
export function toRefusal(
  method: DescMethod | string,
  error: unknown,
  noteFailure: NoteFailure,
  request?: string,
  isRead = false,
): ConnectError {
  if (error instanceof ConnectError) return error;
  const name = typeof method === "string" ? method : `${method.parent.typeName}/${method.name}`;
  noteFailure(name, error, request);
  const fault = databaseFault(error);
  if (fault === "away")
    return unavailable("The database is not reachable. Try again in a moment.", error, MOMENT_SECONDS);
  if (fault === "refused")
    return unavailable(
      "The database refuses this server. Its operator finds the reason in the log.",
      error,
      MOMENT_SECONDS,
    );
  if (fault === "read-only")
    return unavailable("The database takes no changes at the moment. Try again in a moment.", error, MOMENT_SECONDS);
  if (fault === "full") {
    const storesNothing = isRead || isReading(name.replace(/^\/?followspot\./, ""));
    return exhausted(`${NO_SPACE} ${storesNothing ? "Free some, then try again." : "Free some; nothing was stored."}`);
  }
  if (isDatabaseSpent(error))
    return exhausted("The database has no memory left for this. Try again in a moment.", MOMENT_SECONDS);
  return new ConnectError("Something went wrong on our side", Code.Internal, undefined, undefined, error);
}

function countCalls(onCall: RpcPorts["onCall"]): Interceptor {
  return (next) => async (request) => {
    const begun = performance.now();
    const count = (code: string) => onCall?.(request.method.name, code, (performance.now() - begun) / 1000);
    try {
      const answer = await next(request);
      count("ok");
      return answer;
    } catch (error) {
      count(Code[ConnectError.from(error).code] ?? "Unknown");
      throw error;
    }
  };
}

const enforceAccess: Interceptor = (next) => (request) => {
  requireAccess(request.method, request.contextValues.get(callerKey));
  return next(request);
};

/** Number of violations that an error lists; the rest are counted. */
const MAX_LISTED_VIOLATIONS = 10;

/** Describes the fields that a message violates, for a person. */
export function violationText(violations: readonly Violation[]): string {
  const listed = violations
    .slice(0, MAX_LISTED_VIOLATIONS)
    .map(({ field, message }) => `${jsonPath(field)}: ${message}`);
  const more = violations.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** Formats a path with the names of JSON: `items[3].songId`. */
const jsonPath = (path: Path): string =>
  path
    .map((step, i) => {
      if (step.kind === "list_sub") return `[${step.index}]`;
      if (step.kind === "map_sub") return `[${String(step.key)}]`;
      const name = step.kind === "field" ? step.jsonName : step.name;
      return i === 0 ? name : `.${name}`;
    })
    .join("");

/** Whether a message holds a list of messages, each of which may violate several rules. */
const hasMessageList = ({ fields }: DescMessage): boolean =>
  fields.some((field) => field.fieldKind === "list" && field.message !== undefined);

/** Cleans the names of a request, and rejects it if it violates its contract. Validation of a list of messages stops at the first violation. */
function validateRequests(): Interceptor {
  const ofForms = createValidator();
  const ofLists = createValidator({ failFast: true });
  return (next) => (request) => {
    if (request.stream) return next(request);
    const { input } = request.method;
    cleanNames(input, request.message);
    const result = (hasMessageList(input) ? ofLists : ofForms).validate(input, request.message);
    if (result.kind === "error") throw result.error;
    if (result.kind === "invalid") {
      const [value, desc] = violationsToProto(result.violations.slice(0, MAX_LISTED_VIOLATIONS));
      throw new ConnectError(violationText(result.violations), Code.InvalidArgument, undefined, [{ desc, value }]);
    }
    return next(request);
  };
}

/**
 * Answers requests for whole lists one after the other, because each may hold its rows in memory several times: as rows, messages
 * and text. Rejects requests beyond the limits of the line and of one caller.
 */
function oneWholeListAtATime(): Interceptor {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const waitingOf = new Map<string, number>();
  return (next) => async (request) => {
    const { fields, name } = request.method.input;
    const isList = !request.stream && name.startsWith("List") && fields.some((field) => field.name === "list");
    const { list, pageSize } = request.message as { list?: unknown; pageSize?: number }; // as far as it has them
    if (!isList || list !== undefined || pageSize) return next(request);
    const caller = request.contextValues.get(callerKey)?.userId ?? "";
    const own = waitingOf.get(caller) ?? 0;
    if (waiting >= MOST_WHOLE_LISTS || own >= MAX_WHOLE_LISTS_OF_CALLER)
      throw exhausted(
        "Too many lists are asked for whole just now. Ask for pages, or again in a few seconds",
        MOMENT_SECONDS,
      );
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    waiting++;
    waitingOf.set(caller, own + 1);
    try {
      await Promise.race([before, whenAborted(request.signal)]);
      request.signal.throwIfAborted();
      const answer = await next(request);
      // Serialized in one piece, it would block all other calls.
      if (!answer.stream)
        request.contextValues.set(wholeListKey, await jsonInSlices(request.method.output, answer.message));
      return answer.stream ? answer : { ...answer, message: create(request.method.output) };
    } finally {
      waiting--;
      const left = waitingOf.get(caller)! - 1; // counted above
      if (left > 0) waitingOf.set(caller, left);
      else waitingOf.delete(caller);
      // A caller that disconnects leaves the queue immediately; the next one still waits for the one before.
      void before.then(resolve, resolve);
    }
  };
}

/** Never resolves; rejects when the signal is aborted. */
const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

function translateErrors(noteFailure: NoteFailure): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (isHangUp(error, request.signal)) throw new ConnectError("The caller hung up", Code.Canceled);
      throw toRefusal(request.method, error, noteFailure, request.contextValues.get(requestIdKey));
    }
  };
}

/** Whether a call failed because its client disconnected: nothing is wrong here, and no answer arrives. */
const isHangUp = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && (error === signal.reason || (error as { name?: unknown } | null)?.name === "AbortError");

function contextOf(caller: Caller | undefined, { ip, id }: FastifyRequest): ContextValues {
  return createContextValues().set(callerKey, caller).set(addressKey, ip).set(requestIdKey, id);
}

function methodsByPath(routes: RpcPorts["routes"]): ReadonlyMap<string, DescMethod> {
  const router = createConnectRouter({ grpc: false, grpcWeb: false });
  routes.forEach((mount) => mount(router));
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler.method]));
}

function maxRequestBytes(method: DescMethod): number {
  const carriesImage = method.input.fields.some((field) => field.name.endsWith("_base64"));
  if (carriesImage) return MAX_IMAGE_REQUEST_BYTES;
  return isPublic(method) ? MAX_PUBLIC_REQUEST_BYTES : MAX_REQUEST_BYTES;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

/** Name of a request's route for the log: the path of its method, or the pattern of any other route. */
export function routeName(request: FastifyRequest): string {
  return request.routeOptions.url === CALLS ? pathOf(request) : (request.routeOptions.url ?? "?");
}

/** Node keeps the first of two Authorization headers; a proxy may have judged the other. */
function hasOneAuthorization(request: FastifyRequest): boolean {
  return (request.raw.headersDistinct.authorization?.length ?? 0) <= 1;
}
