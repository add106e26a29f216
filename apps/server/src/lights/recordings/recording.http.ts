import { join } from "node:path";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { notFound } from "../../platform/errors.ts";
import type { HttpServer } from "../../platform/http/http-server.ts";

/** Registers `/api/recordings/{id}`, which downloads a recording for `song -- replay` on another machine. */
export function registerRecordingHttp({ app, guard }: HttpServer, { dataDir }: { readonly dataDir: string }): void {
  type Asked = { Params: { id: string } };
  app.get<Asked>("/api/recordings/:id", { onRequest: guard("Director") }, async ({ params: { id } }, reply) => {
    const path = join(dataDir, "recordings", `${id}.frames.gz`);
    const size = /^[0-9A-Z]{26}$/.test(id) && (await stat(path).catch(() => undefined))?.size;
    if (!size) throw notFound("Recording", id);
    return reply
      .header("content-type", "application/gzip")
      .header("content-length", size)
      .header("content-disposition", `attachment; filename="${id}.frames.gz"`)
      .send(createReadStream(path, { end: size - 1 }));
  });
}
