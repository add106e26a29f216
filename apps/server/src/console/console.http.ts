import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ROOT } from "../platform/settings.ts";

const DIST = join(ROOT, "apps/console/dist");

/** Scripts only from us; styles may be set by components; nothing may frame the console. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const NOT_BUILT = "The console is not built yet. Run `npm start`, which builds it.";

/** The built console below /admin, and the way from `/` to the public site. */
export async function registerConsole(app: FastifyInstance, publicSite: string | undefined): Promise<void> {
  app.get("/", (_request, reply) => reply.redirect(publicSite ?? "/admin", 302));
  await app.register(
    async (scope) => {
      scope.addHook("onSend", async (_request, reply) => {
        reply
          .header("content-security-policy", POLICY)
          .header("permissions-policy", "camera=(), microphone=(), geolocation=()")
          .header("x-frame-options", "DENY");
      });
      await scope.register(fastifyStatic, {
        root: DIST,
        index: false,
        wildcard: true,
        immutable: true,
        maxAge: "365d",
      });
      // Every page of the console is the same document; its router reads the path.
      const page = (_request: FastifyRequest, reply: FastifyReply) =>
        existsSync(join(DIST, "index.html"))
          ? reply.header("cache-control", "no-cache").sendFile("index.html", { cacheControl: false })
          : reply.code(503).type("text/plain").send(NOT_BUILT);
      scope.get("/", page);
      scope.setNotFoundHandler((request, reply) => {
        const isFile = /\.[a-z0-9]+$/i.test(request.url.split("?", 1)[0] ?? "");
        if (request.method === "GET" && !isFile) return page(request, reply);
        return reply.code(404).type("text/plain").send("Not found");
      });
    },
    { prefix: "/admin" },
  );
}
