import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyInstance } from "fastify";
import type { IncomingHttpHeaders } from "node:http";
import { ulid } from "ulid";
import type { Caller } from "./caller.ts";
import type { Db, Sql } from "./database.ts";
import { invalid, unauthenticated } from "./errors.ts";
import { readPicture, type CleanImage } from "./image-formats.ts";

export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
export const MAX_IMAGE_SIDE = 12_000;
const IMAGE_ID = /^[0-9A-Z]{26}$/;

/**
 * The picture in a base64 text (a data: URL too), without what it says about its maker or place.
 * @throws invalid_argument unless it is a whole PNG, JPEG, WebP or GIF within the limits
 */
export function decodeImage(base64: string, field: string): CleanImage {
  const text = base64.replace(/^data:image\/[\w.+-]{1,40};base64,/, "");
  if (text.length > Math.ceil(MAX_IMAGE_BYTES / 3) * 4) throw invalid(`${field}: an image may have at most 8 MiB`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.replace(/=+$/, "").length % 4 === 1) {
    throw invalid(`${field}: is not base64`);
  }
  return cleanImage(Buffer.from(text, "base64"), field);
}

/** Stores a picture and answers with its id. */
export async function storeImage(db: Db, image: CleanImage): Promise<string> {
  const id = ulid();
  await db`insert into images (id, mime_type, bytes) values (${id}, ${image.mimeType}, ${image.bytes})`;
  return id;
}

export async function removeImage(db: Db, id: string | null): Promise<void> {
  if (id) await db`delete from images where id = ${id}`;
}

/** Where a stored picture is served; "" for none. */
export function imageUrl(id: string | null): string {
  return id ? `/media/${id}` : "";
}

/** GET /media/{image_id} for anybody signed in. */
export function registerMedia(
  fastify: FastifyInstance,
  ports: {
    readonly sql: Sql;
    readonly authenticate: (headers: IncomingHttpHeaders) => Promise<Caller | undefined>;
  },
): void {
  fastify.get<{ Params: { imageId: string } }>("/media/:imageId", async (request, reply) => {
    if (!(await ports.authenticate(request.headers))) throw unauthenticated();
    const { imageId } = request.params;
    const [image] = IMAGE_ID.test(imageId)
      ? await ports.sql<
          { mime_type: string; bytes: Buffer }[]
        >`select mime_type, bytes from images where id = ${imageId}`
      : [];
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

/** @throws invalid_argument unless `bytes` is a whole picture of a type we serve */
export function cleanImage(bytes: Buffer, field: string): CleanImage {
  if (bytes.length > MAX_IMAGE_BYTES) throw invalid(`${field}: an image may have at most 8 MiB`);
  const picture = readPicture(bytes);
  if (!picture) throw invalid(`${field}: is not a whole PNG, JPEG, WebP or GIF image`);
  const { width, height, image } = picture;
  if (width < 1 || height < 1 || width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
    throw invalid(`${field}: an image may have 1 to ${MAX_IMAGE_SIDE} pixels a side`);
  }
  return image;
}
