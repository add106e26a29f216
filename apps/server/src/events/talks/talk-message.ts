import { create, toJson } from "@bufbuild/protobuf";
import { TalkSchema, type Talk } from "@followspot/contract/talk";
import type { Entry } from "../../platform/database/change.ts";
import { imageUrl } from "../../platform/pictures/images.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import type { TalkRow } from "./talks.store.ts";

export function toTalk(row: TalkRow): Talk {
  return create(TalkSchema, {
    id: row.id,
    title: row.title,
    body: row.body,
    startAt: timestampOf(row.start_at),
    userId: row.user_id ?? undefined,
    userName: row.user_name ?? undefined,
    eventId: row.event_id ?? undefined,
    points: row.points,
    imageUrl: imageUrl(row.image_id),
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
    timeZone: row.event_zone ?? "",
  });
}

/** Entry for a changed talk, published to the viewers of its event's talks. */
export function talkEntry(verb: string, before: TalkRow | undefined, after: TalkRow): Entry {
  const topics = ["events", ...(after.event_id ? [`event.${after.event_id}`] : [])];
  const payload = { talk: toJson(TalkSchema, toTalk(after)), points: after.points };
  return {
    noun: "talk",
    id: after.id,
    verb,
    before: before && written(before),
    after: written(after),
    payload,
    topics,
  };
}

/**
 * Fields of a talk for the audit log: without the speaker's name and the time zone, which belong to other rows, and
 * without the vote count.
 */
function written({ user_name: _name, event_zone: _zone, points: _points, ...kept }: TalkRow) {
  return kept;
}
