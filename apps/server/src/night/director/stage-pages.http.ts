import { STAGE_KEY_HEADER, type Rig } from "@followspot/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Db, Sql } from "../../platform/database/database.ts";
import { notFound, unauthenticated } from "../../platform/errors.ts";
import { readPicture, readTalkImage } from "./screen-picture.ts";
import { findStageLink, seedOfKey } from "./stage-links.ts";
import type { StagePages } from "./stage-pages.ts";

export interface StagePagesHttpPorts {
  readonly sql: Sql;
  readonly secret: Uint8Array;
  readonly pages: StagePages;
  /** Returns the rig with all lights. */
  readonly rig: () => Promise<Rig>;
}

interface ScreenRoute {
  Params: { id: string };
}

const NO_LINK = "This link does not show anything, or not any more. Ask for a new one.";

/** Registers the requests of a stage page, which authenticates with the key of its link instead of a sign-in. */
export function registerStagePages(app: FastifyInstance, { sql, secret, pages, rig }: StagePagesHttpPorts): void {
  /** @throws unauthenticated */
  async function admit({ params, headers }: FastifyRequest<ScreenRoute>) {
    const seed = await findOpenSeed(sql, secret, params.id, headers[STAGE_KEY_HEADER]);
    if (!seed) throw unauthenticated(NO_LINK);
    return { screenId: params.id, seed };
  }

  app.get<ScreenRoute>("/api/stage/:id/events", { exposeHeadRoute: false }, async (request, reply) => {
    const { screenId, seed } = await admit(request);
    pages.requireRoom(screenId);
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>), // set as texts by the server's own hook
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
      // Proxies that buffer responses would delay updates.
      "x-accel-buffering": "no",
    });
    pages.open(screenId, seed, reply.raw);
  });

  app.get<ScreenRoute>("/api/stage/:id/picture", { exposeHeadRoute: false }, async (request, reply) => {
    const { screenId } = await admit(request);
    const image = await readTalkImage(sql, screenId);
    if (!image) throw new ConnectError("No picture is shown", Code.NotFound);
    return reply
      .header("content-type", image.mime_type)
      .header("content-security-policy", "default-src 'none'; sandbox")
      .header("cross-origin-resource-policy", "same-origin")
      .header("cache-control", "no-store")
      .header("x-robots-tag", "noindex")
      .send(image.bytes);
  });

  app.get<ScreenRoute>("/api/stage/:id/rig", { exposeHeadRoute: false }, async (request, reply) => {
    const { screenId } = await admit(request);
    const read = await readPicture(sql, screenId, null);
    if (!read?.picture.lamps) throw notFound("Stage on screen", screenId);
    const { lights, groups } = await rig();
    // Names of fixtures are not public.
    const nameless: Rig = {
      lights: lights.map((light) => ({ ...light, label: "" })),
      groups: groups.map((group) => ({ ...group, name: "" })),
    };
    return reply.header("cache-control", "no-store").header("x-robots-tag", "noindex").send(nameless);
  });
}

/** Whether a key opens the page of a screen, and that page shows the lights. */
export async function showsLamps(db: Db, secret: Uint8Array, screenId: string, key: unknown): Promise<boolean> {
  if (!(await findOpenSeed(db, secret, screenId, key))) return false;
  return (await readPicture(db, screenId, null))?.picture.lamps ?? false;
}

/** Returns the seed of a valid link with this key; a key that was not made with the secret causes no query. */
async function findOpenSeed(db: Db, secret: Uint8Array, screenId: string, key: unknown): Promise<Buffer | undefined> {
  const seed = seedOfKey(secret, screenId, key);
  const link = seed && (await findStageLink(db, screenId));
  return seed && link?.seed.equals(seed) ? seed : undefined;
}
