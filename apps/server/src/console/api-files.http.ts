import { API_FILES } from "@followspot/contract/api-files";
import comments from "@followspot/contract/comments.json" with { type: "json" };
import type { FastifyInstance } from "fastify";

/**
 * What other tools read of the contract: `/api/openapi.json`, `/api/asyncapi.json` and `/api/followspot.binpb`. For
 * everybody, as the contract is no secret; each is written when it is asked for first.
 */
export function registerApiFiles(app: FastifyInstance): void {
  const commentOf = (fullName: string) => (comments as Readonly<Record<string, string>>)[fullName];
  for (const [name, { mediaType, write }] of Object.entries(API_FILES)) {
    let bytes: Buffer | undefined;
    app.get(`/api/${name}`, (_request, reply) =>
      reply
        .header("cache-control", "no-cache")
        .type(mediaType)
        .send((bytes ??= Buffer.from(write(commentOf)))),
    );
  }
}
