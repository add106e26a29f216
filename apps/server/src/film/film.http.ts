import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { HttpServer } from "../platform/http-server.ts";
import type { FilmShelf } from "./film-shelf.ts";

const TYPES = { mp4: "video/mp4", webp: "image/webp" } as const;

/** `/api/films/{id}`: a film that is ready, as a download. */
export function registerFilmHttp({ app, guard }: HttpServer, { shelf }: { readonly shelf: FilmShelf }): void {
  type Asked = { Params: { id: string } };
  app.get<Asked>("/api/films/:id", { onRequest: guard("Admin", "Director") }, async ({ params: { id } }, reply) => {
    const path = shelf.pathOf(id);
    const { size } = await stat(path);
    const { title, type } = shelf.films.find((film) => film.id === id)!; // `pathOf` has found it
    return reply
      .header("content-type", TYPES[type])
      .header("content-length", size)
      .header("content-disposition", `attachment; filename="${nameOf(title)}.${type}"`)
      .send(createReadStream(path));
  });
}

/** A title as every system takes it for a file. */
const nameOf = (title: string): string =>
  title
    .replaceAll(/[^a-zA-Z0-9 _-]/g, "")
    .trim()
    .slice(0, 80) || "show";
