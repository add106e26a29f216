import { exhausted, invalid } from "../platform/errors.ts";
import type { HttpServer } from "../platform/http/http-server.ts";
import { readBody } from "../platform/http/request-body.ts";
import type { Sql } from "../platform/database/database.ts";
import { importFixtures } from "./import-fixtures.ts";
import type { FixtureFile } from "./read-fixture-files.ts";

/** Most bytes of one upload; a client with more sends several. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 500;
const UPLOAD_MS = 60_000;

/** Registers the plain HTTP route for fixture files from a browser form, with one result per file. */
export function registerFixturesHttp({ app, guard, callerOf }: HttpServer, { sql }: { readonly sql: Sql }): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.post("/api/fixtures/import", { bodyLimit: MAX_UPLOAD_BYTES, onRequest: guard("Admin") }, async (request) => {
      const body = await readBody(request.raw, MAX_UPLOAD_BYTES, UPLOAD_MS);
      const files = await filesOf(request.headers["content-type"] ?? "", body);
      return importFixtures(sql, callerOf(request), files);
    });
  });
}

async function filesOf(type: string, body: Buffer): Promise<readonly FixtureFile[]> {
  if (!/^multipart\/form-data\b/i.test(type)) throw invalid("Send the files as multipart/form-data");
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  } catch {
    throw invalid("The body is not the multipart/form-data it says it is");
  }
  const parts = [...form.values()].filter((part) => part instanceof File);
  if (parts.length === 0) throw invalid("Choose at least one file");
  if (parts.length > MAX_FILES) throw exhausted(`At most ${MAX_FILES} files at once`);
  return Promise.all(parts.map(async (part) => ({ name: part.name, bytes: new Uint8Array(await part.arrayBuffer()) })));
}
