import { PassThrough } from "node:stream";
import { constants, createGzip } from "node:zlib";
import { answerLine, CALLS_PATH, isReading, MOST_CALLS } from "@followspot/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalid } from "../errors.ts";
import { parseJson, readBody } from "./request-body.ts";

/** Largest request body, bytes; a single list query has a few hundred. */
const MAX_BYTES = 64 * 1024;

/** One call of a batch. */
export interface CallOfMany {
  /** Method name, such as `user.v1.UserService/ListUsers`. */
  readonly method: string;
  readonly message: object;
}

export interface CallsTogetherPorts {
  /** Authenticates before the body is read. @throws unauthenticated without a sign-in */
  readonly admit: (request: FastifyRequest) => Promise<void>;
  /**
   * Answers one call as if it were a separate request: with access checks, validation and rate limits. Errors are
   * responses too.
   * @param signal aborted when the client disconnects
   */
  readonly answer: (
    call: CallOfMany,
    request: FastifyRequest,
    signal: AbortSignal,
  ) => Promise<{ readonly status: number; readonly json: string }>;
}

/**
 * Registers the route for batches of read calls by a signed-in user, in the format of `calls-together.ts` in the
 * contract.
 */
export async function registerCallsTogether(
  app: FastifyInstance,
  { admit, answer }: CallsTogetherPorts,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addContentTypeParser("application/json", (_request, _payload, done) => done(null)); // read below
    scope.post(CALLS_PATH, { onRequest: admit }, async (request, reply) => {
      const calls = callsIn(parseJson(await readBody(request.raw, MAX_BYTES)));
      const leaving = new AbortController();
      reply.raw.once("close", () => leaving.abort());
      // Each line is sent as soon as it is written, so that a slow response does not delay the others.
      const isPacked = /\bgzip\b/.test(String(request.headers["accept-encoding"]));
      const lines = isPacked ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : new PassThrough();
      const answers = calls.map(async (call, place) => {
        const { status, json } = await answer(call, request, leaving.signal);
        if (!leaving.signal.aborted) lines.write(`${answerLine(place, status, json)}\n`);
      });
      void Promise.all(answers).then(
        () => lines.end(),
        (error: unknown) => lines.destroy(error as Error),
      );
      reply.type("text/plain; charset=utf-8").headers({ "cache-control": "no-store", "x-accel-buffering": "no" });
      return reply.header("content-encoding", isPacked ? "gzip" : "identity").send(lines);
    });
  });
}

/** @throws invalid_argument unless the body is a list of read calls */
function callsIn(body: unknown): readonly CallOfMany[] {
  if (!Array.isArray(body) || body.length === 0 || body.length > MOST_CALLS)
    throw invalid(`Send a list of 1 to ${MOST_CALLS} calls`);
  for (const call of body)
    if (!isCall(call) || !isReading(call.method))
      throw invalid(
        'A call is {"method": "user.v1.UserService/ListUsers", "message": {}}, of a method that only reads',
      );
  return body;
}

const isCall = (call: unknown): call is CallOfMany =>
  isObject(call) && typeof call["method"] === "string" && isObject(call["message"]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
