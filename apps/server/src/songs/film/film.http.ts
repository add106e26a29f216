import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { notFound } from "../../platform/errors.ts";
import type { HttpServer } from "../../platform/http/http-server.ts";
import type { FilmShelf } from "./film-shelf.ts";

const TYPES = { mp4: "video/mp4", webp: "image/webp" } as const;

/** Registers `/api/films/{id}`, which downloads a finished film. */
export function registerFilmHttp({ app, guard }: HttpServer, { shelf }: { readonly shelf: FilmShelf }): void {
  type Asked = { Params: { id: string } };
  app.get<Asked>("/api/films/:id", { onRequest: guard("Admin", "Director") }, async ({ params: { id } }, reply) => {
    const film = await shelf.find(id);
    if (film.state !== "ready") throw notFound("Film", id);
    const { title, type } = film;
    const path = shelf.pathOf(film);
    const { size } = await stat(path);
    return reply
      .header("content-type", TYPES[type])
      .header("content-length", size)
      .header("content-disposition", `attachment; filename="${nameOf(title)}.${type}"`)
      .send(createReadStream(path));
  });
}

/** Converts a title to a file name that is valid on every system. */
const nameOf = (title: string): string =>
  title
    .replaceAll(/[^a-zA-Z0-9 _-]/g, "")
    .trim()
    .slice(0, 80) || "show";
