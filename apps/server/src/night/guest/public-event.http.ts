import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyInstance } from "fastify";
import type { Sql } from "../../platform/database/database.ts";
import { publicCover } from "./public-event.store.ts";

interface CoverRoute {
  Params: { eventId: string; imageId: string };
}

/**
 * Registers GET /e/{event_id}/cover/{image_id}: the banner of an event with a public page. The random ID of the image is
 * known only to people who can open the page.
 */
export function registerPublicCovers(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get<CoverRoute>("/e/:eventId/cover/:imageId", async ({ params }, reply) => {
    const image = await publicCover(sql, params.eventId, params.imageId);
    if (!image) throw new ConnectError("This image does not exist", Code.NotFound);
    return reply
      .header("content-type", image.mime_type)
      .header("x-content-type-options", "nosniff")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .header("content-disposition", "inline")
      .header("cache-control", "public, max-age=3600")
      .send(image.bytes);
  });
}
