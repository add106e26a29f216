import type { Db } from "../../platform/database/database.ts";

export interface PublicTalkRow {
  readonly title: string;
  readonly start_at: Date | null;
}

/** Limit: more would not fit on a phone. */
const MOST_TALKS = 100;

/** Talks of an event by start, without anything about people. */
export function publicTalks(db: Db, eventId: string): Promise<PublicTalkRow[]> {
  return db<PublicTalkRow[]>`
    select title, start_at from talks where event_id = ${eventId} and deleted_at is null
    order by coalesce(start_at, 'infinity'), id limit ${MOST_TALKS}`;
}

/** Returns the banner of an event that has a public page; undefined if the image is not its banner. */
export async function publicCover(db: Db, eventId: string, imageId: string) {
  const [image] = await db<{ mime_type: string; bytes: Buffer }[]>`
    select images.mime_type, images.bytes from events join images on images.id = events.image_id
    where events.id = ${eventId} and images.id = ${imageId} and events.public_page <> 'off'`;
  return image;
}
