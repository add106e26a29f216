import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyInstance } from "fastify";
import type { IncomingHttpHeaders } from "node:http";
import { newId } from "../database/ids.ts";
import type { Caller } from "../caller.ts";
import type { Db, Sql } from "../database/database.ts";
import { exhausted, invalid, unauthenticated, unavailable } from "../errors.ts";
import type { PictureRefusal } from "./picture-messages.ts";
import { PictureError } from "./picture-program.ts";
import { pictures } from "./pictures.ts";

export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
/** Longest side of a stored image, and side of the square thumbnail, in pixels. */
export const IMAGE_SIDES = { large: 1280, small: 96 } as const;
const IMAGE_ID = /^[0-9A-Z]{26}$/;

/** An image re-encoded as WebP; nothing of the uploaded file is retained. */
export interface CleanImage {
  readonly mimeType: "image/webp";
  readonly bytes: Uint8Array;
  readonly small: Uint8Array;
}

const TYPES = "PNG, JPEG, WebP, GIF, AVIF, TIFF or SVG";
const REFUSALS: Record<PictureRefusal, string> = {
  unknown_type: `this is no whole picture of a type we read. Send a whole ${TYPES} file`,
  heic: `HEIC pictures are not read. Save it as JPEG and send that, or any ${TYPES} file`,
  damaged: `this picture is damaged or cut short. Save it again and send a whole ${TYPES} file`,
  too_many_pixels: "a picture may have at most 50 million pixels. Make it smaller and send it again",
  active_svg: "an SVG may not hold scripts or lead to other files. Save it as PNG and send that",
  too_slow: "this picture takes too long to read. Make it smaller, or save it as PNG or JPEG",
  too_heavy: "this picture takes too much memory to read. Make it smaller, or save it as PNG or JPEG",
  deadly: "this picture could not be read to its end. Save it as PNG or JPEG and send that",
  too_many: "too many pictures are being read. Send it again in a minute",
  no_program: "pictures cannot be read on this server. Have its installation repaired, then send it again",
};

/**
 * Decodes a base64 text (or data: URL) and re-encodes its image in two sizes, in a separate process.
 * @throws invalid_argument unless it is a complete image of a supported type, within the limits
 */
export async function decodeImage(base64: string, field: string): Promise<CleanImage> {
  const text = base64.replace(/^data:image\/[\w.+-]{1,40};base64,/, "");
  if (text.length > Math.ceil(MAX_IMAGE_BYTES / 3) * 4) throw tooLarge(field);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.replace(/=+$/, "").length % 4 === 1) {
    throw invalid(`${field}: is not base64`);
  }
  return cleanImage(Buffer.from(text, "base64"), field);
}

/**
 * Re-encodes an image from bytes.
 * @throws invalid_argument; resource_exhausted or unavailable if the fault is the server's
 */
export async function cleanImage(sent: Uint8Array, field: string): Promise<CleanImage> {
  if (sent.length > MAX_IMAGE_BYTES) throw tooLarge(field);
  try {
    const [bytes, small] = await pictures.make(sent, [
      { fit: "inside", side: IMAGE_SIDES.large },
      { fit: "cover", side: IMAGE_SIDES.small },
    ]);
    return { mimeType: "image/webp", bytes: bytes!, small: small! }; // one image for each requested size
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    const message = `${field}: ${REFUSALS[error.code]}`;
    if (error.code === "too_many") throw exhausted(message, 60);
    if (error.code === "no_program") throw unavailable(message, error);
    throw invalid(message);
  }
}

const tooLarge = (field: string) =>
  invalid(`${field}: an image may have at most 8 MiB. Make it smaller and send it again`);

/** Stores an image. @returns its ID */
export async function storeImage(db: Db, image: CleanImage): Promise<string> {
  const id = newId();
  await db`
    insert into images (id, mime_type, bytes, small) values (${id}, ${image.mimeType}, ${image.bytes}, ${image.small})`;
  return id;
}

/** Copies a stored image for another entity. @returns ID of the copy; null if there is no image */
export async function copyImage(db: Db, id: string | null): Promise<string | null> {
  if (!id) return null;
  const copy = newId();
  const { count } = await db`
    insert into images (id, mime_type, bytes, small) select ${copy}, mime_type, bytes, small from images where id = ${id}`;
  return count === 1 ? copy : null;
}

export async function removeImage(db: Db, id: string | null): Promise<void> {
  if (id) await db`delete from images where id = ${id}`;
}

/** Returns the path of a stored image; "" for none. */
export function imageUrl(id: string | null): string {
  return id ? `/media/${id}` : "";
}

interface MediaRoute {
  Params: { imageId: string };
  Querystring: { size?: string };
}

/** Registers GET /media/{image_id} for all signed-in users; `?size=small` returns the square thumbnail. */
export function registerMedia(
  fastify: FastifyInstance,
  ports: {
    readonly sql: Sql;
    readonly authenticate: (headers: IncomingHttpHeaders) => Promise<Caller | undefined>;
  },
): void {
  fastify.addHook("onClose", () => pictures.close());
  fastify.get<MediaRoute>("/media/:imageId", async (request, reply) => {
    if (!(await ports.authenticate(request.headers))) throw unauthenticated();
    const { imageId } = request.params;
    const image = IMAGE_ID.test(imageId)
      ? await findImage(ports.sql, imageId, request.query.size === "small")
      : undefined;
    if (!image) throw new ConnectError("This image does not exist", Code.NotFound);
    return reply
      .header("content-type", image.mime_type)
      .header("x-content-type-options", "nosniff")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .header("content-disposition", "inline")
      .header("cross-origin-resource-policy", "same-origin")
      .header("cache-control", "private, max-age=31536000, immutable")
      .send(image.bytes);
  });
}

/** Images stored before thumbnails existed are served in full size. */
async function findImage(sql: Sql, id: string, isSmall: boolean) {
  const [image] = await sql<{ mime_type: string; bytes: Buffer }[]>`
    select case when shown.small is null then mime_type else 'image/webp' end as mime_type, coalesce(shown.small, bytes) as bytes
    from images, lateral (select case when ${isSmall} then small end as small) shown where id = ${id}`;
  return image;
}
