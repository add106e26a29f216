import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { MusicService } from "@followspot/contract/music";
import { GENERIC_FIXTURES } from "@followspot/lighting";
import Fastify from "fastify";
import { accountingRoutes } from "../accounting/accounting.routes.ts";
import { authRoutes } from "../auth/auth.routes.ts";
import { authenticate, issueToken } from "../auth/authenticate.ts";
import { chatRoutes } from "../chat/chat.routes.ts";
import { directorRoutes } from "../director/director.routes.ts";
import { eventRoutes } from "../event/event.routes.ts";
import { lightsRoutes, type LightsPorts } from "../lights/lights.routes.ts";
import { talkRoutes } from "../talk/talk.routes.ts";
import { userRoutes } from "../user/user.routes.ts";
import { insertUser } from "../user/users.store.ts";
import type { Role } from "../platform/caller.ts";
import { registerMedia } from "../platform/images.ts";
import { registerRpc, replyError, toRefusal } from "../platform/rpc.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- JSON as it came over the wire; a test looks at what it expects
export type Wire = any;

/** What came back: the HTTP status, the Connect code of a refusal and the JSON body. */
export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Wire;
  readonly headers: Headers;
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** The RPC half of the API on a real port over a database of its own; `lights` replaces ports of the lights. */
export async function startTestServer(lights: Partial<LightsPorts> = {}) {
  const database = await createTestDatabase();
  const { sql } = database;
  const secret = randomBytes(32);
  const codes: { target: string; code: string }[] = [];
  const failures: unknown[] = [];
  const ports = {
    sql,
    secret,
    authenticate: (headers: Parameters<typeof authenticate>[2]) => authenticate(sql, secret, headers),
    deliverCode: async (target: string, code: string) => void codes.push({ target, code }),
    logFailure: (_method: string, error: unknown) => void failures.push(error),
  };
  const fastify = Fastify();
  fastify.setErrorHandler((error, _request, reply) => replyError(reply, toRefusal("test", error, ports.logFailure)));
  await registerRpc(fastify, {
    ...ports,
    routes: [
      authRoutes(ports),
      userRoutes(ports),
      eventRoutes(ports),
      talkRoutes(ports),
      accountingRoutes,
      chatRoutes,
      directorRoutes,
      lightsRoutes({ sql, definitions: GENERIC_FIXTURES, readSongFile: async () => undefined, ...lights }),
      // Only in the table: the song line has tests of its own.
      (router) => router.service(MusicService, {}),
    ],
  });
  registerMedia(fastify, ports);
  await fastify.listen({ port: 0, host: "127.0.0.1" });
  const base = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`;

  async function call(
    path: string,
    body: unknown,
    token?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${base}/followspot.${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const json = text === "" ? undefined : JSON.parse(text);
    return {
      status: response.status,
      code: response.ok ? undefined : json?.code,
      body: json,
      headers: response.headers,
    };
  }

  async function person(name: string, roles: readonly Role[] = [], email = "") {
    const user = await insertUser(sql, { name, roles, email });
    return { id: user.id, token: await issueToken(sql, secret, user.id, "test") };
  }

  return {
    ...database,
    base,
    secret,
    codes,
    failures,
    call,
    person,
    close: async () => {
      await fastify.close();
      await database.drop();
    },
  };
}
