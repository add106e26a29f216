import { create, toJson } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { TalkSchema, TalkService, type Talk, type UpdateTalkRequest } from "@followspot/contract/talk";
import { findEvent } from "../event/events.store.ts";
import { requireCaller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/change.ts";
import type { Sql, Tx } from "../platform/database.ts";
import { alreadyExists, notFound } from "../platform/errors.ts";
import { decodeImage, imageUrl, removeImage, storeImage } from "../platform/images.ts";
import { countRows, listQueryOf, readAll, readPage } from "../platform/lists.ts";
import { dateOf, requireUnchanged, timestampOf } from "../platform/timestamps.ts";
import { findUser } from "../user/users.store.ts";
import * as talks from "./talks.store.ts";
import type { TalkFields, TalkRow } from "./talks.store.ts";

export interface TalkPorts {
  readonly sql: Sql;
}

export function talkRoutes({ sql }: TalkPorts): (router: ConnectRouter) => void {
  return (router) =>
    router.service(TalkService, {
      listTalks: async (request) => {
        const scope = talks.talksOf(sql, request.eventId);
        const query = listQueryOf({ list: request.list });
        if (query) {
          const { rows, nextPageToken } = await readPage<TalkRow>(sql, talks.TALK_LIST, query, scope);
          return { talks: rows.map(toTalk), nextPageToken };
        }
        const rows = await readAll<TalkRow>(sql, talks.TALK_LIST, scope);
        return { talks: rows.map(toTalk), totalSize: rows.length };
      },

      countTalks: async (request) => ({
        counts: await countRows(sql, talks.TALK_LIST, request.query, talks.talksOf(sql, request.eventId)),
      }),

      getTalk: async (request) => {
        const talk = await talks.findTalk(sql, request.talkId);
        if (!talk) throw notFound("Talk", request.talkId);
        return { talk: toTalk(talk) };
      },

      createTalk: async (request, context) => {
        const start_at = request.startAt ? dateOf(request.startAt, "start_at") : null;
        const image = request.imageBase64 ? await decodeImage(request.imageBase64, "image_base64") : undefined;
        return change(sql, requireCaller(context), async (tx) => {
          const id = await talks.insertTalk(tx, {
            title: request.title,
            body: request.body,
            start_at,
            user_id: await requireSpeaker(tx, request.userId),
            event_id: await requireEvent(tx, request.eventId),
            image_id: image ? await storeImage(tx, image) : null,
          });
          const talk = await lockTalk(tx, id);
          return done({ talk: toTalk(talk) }, entry("created", undefined, talk));
        });
      },

      updateTalk: async (request, context) => {
        const start_at = request.startAt && dateOf(request.startAt, "start_at");
        const image = request.imageBase64 ? await decodeImage(request.imageBase64, "image_base64") : undefined;
        return change(sql, requireCaller(context), async (tx) => {
          const before = await lockTalk(tx, request.talkId);
          requireUnchanged("This talk", before.updated_at, request.ifUpdatedAt);
          await talks.updateTalk(tx, before.id, {
            ...(await changeOf(tx, request)),
            ...(start_at && { start_at }),
            ...(image && { image_id: await storeImage(tx, image) }),
          });
          if (image) await removeImage(tx, before.image_id);
          const talk = await lockTalk(tx, before.id);
          return done({ talk: toTalk(talk) }, entry("updated", before, talk));
        });
      },

      deleteTalk: (request, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const before = await lockTalk(tx, request.talkId);
          await talks.setTalkDeleted(tx, before.id, true);
          return done({ success: true }, entry("deleted", before, before));
        }),

      restoreTalk: (request, context) =>
        change(sql, requireCaller(context), async (tx) => {
          if (!(await talks.setTalkDeleted(tx, request.talkId, false))) throw notFound("Deleted talk", request.talkId);
          const talk = await lockTalk(tx, request.talkId);
          return done({ talk: toTalk(talk) }, entry("restored", undefined, talk));
        }),

      uploadTalkImage: async (request, context) => {
        const image = await decodeImage(request.imageBase64, "image_base64");
        return change(sql, requireCaller(context), async (tx) => {
          const before = await lockTalk(tx, request.talkId);
          const image_id = await storeImage(tx, image);
          await talks.updateTalk(tx, before.id, { image_id });
          await removeImage(tx, before.image_id);
          return done({ imageUrl: imageUrl(image_id) }, entry("updated", before, await lockTalk(tx, before.id)));
        });
      },

      vote: (request, context) => {
        const caller = requireCaller(context);
        return change(sql, caller, async (tx) => {
          const { id } = await lockOpenTalk(tx, request.talkId);
          await talks.addVote(tx, id, caller.userId);
          return countedAgain(tx, id);
        });
      },

      unvote: (request, context) => {
        const caller = requireCaller(context);
        return change(sql, caller, async (tx) => {
          const { id } = await lockOpenTalk(tx, request.talkId);
          await talks.removeVote(tx, id, caller.userId);
          return countedAgain(tx, id);
        });
      },

      giveFeedback: async (request, context) => {
        const caller = requireCaller(context);
        return change(sql, caller, async (tx) => {
          const { id } = await lockOpenTalk(tx, request.talkId);
          const feedback = { talk_id: id, user_id: caller.userId, text: request.text, rating: request.rating };
          if (!(await talks.addFeedback(tx, feedback))) throw alreadyExists("You gave feedback on this talk before");
          return done({ success: true });
        });
      },
    });
}

function toTalk(row: TalkRow): Talk {
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
  });
}

async function changeOf(tx: Tx, request: UpdateTalkRequest): Promise<Partial<TalkFields>> {
  return {
    ...(request.title !== undefined && { title: request.title }),
    ...(request.body !== undefined && { body: request.body }),
    ...(request.userId !== undefined && { user_id: await requireSpeaker(tx, request.userId) }),
    ...(request.eventId !== undefined && { event_id: await requireEvent(tx, request.eventId) }),
  };
}

/** Empty takes the speaker away. */
async function requireSpeaker(tx: Tx, id: string): Promise<string | null> {
  if (id === "") return null;
  if (!(await findUser(tx, id))) throw notFound("User", id);
  return id;
}

/** Empty takes the talk out of its event. */
async function requireEvent(tx: Tx, id: string): Promise<string | null> {
  if (id === "") return null;
  const event = await findEvent(tx, id);
  if (!event || event.deleted_at) throw notFound("Event", id);
  return id;
}

async function lockTalk(tx: Tx, id: string): Promise<TalkRow> {
  const talk = await talks.lockTalk(tx, id);
  if (!talk) throw notFound("Talk", id);
  return talk;
}

/** For members: the talks of a deleted event are gone with it. */
async function lockOpenTalk(tx: Tx, id: string): Promise<TalkRow> {
  const talk = await lockTalk(tx, id);
  if (talk.event_id && (await findEvent(tx, talk.event_id))?.deleted_at) throw notFound("Talk", id);
  return talk;
}

/** The points after a vote, told to everybody who looks at the talk. */
async function countedAgain(tx: Tx, id: string) {
  const talk = await lockTalk(tx, id);
  return done({ points: talk.points }, { ...entry("voted", undefined, talk), isMembersOwn: true });
}

function entry(verb: string, before: TalkRow | undefined, after: TalkRow): Entry {
  const topics = ["events", ...(after.event_id ? [`event.${after.event_id}`] : [])];
  const payload = { talk: toJson(TalkSchema, toTalk(after)), points: after.points };
  return { noun: "talk", id: after.id, verb, before, after, payload, topics };
}
