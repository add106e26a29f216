import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { TalkSchema, TalkService, type Talk, type UpdateTalkRequest } from "@followspot/contract/talk";
import { findEvent } from "../event/events.store.ts";
import { audit } from "../platform/audit.ts";
import { requireCaller, type Caller } from "../platform/caller.ts";
import type { Sql, Tx } from "../platform/database.ts";
import { alreadyExists, notFound } from "../platform/errors.ts";
import { decodeImage, imageUrl, removeImage, storeImage } from "../platform/images.ts";
import { postEvent } from "../platform/outbox.ts";
import { dateOf, timestampOf } from "../platform/timestamps.ts";
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
        const rows = await talks.listTalks(sql, request.eventId || undefined);
        return { talks: rows.map(toTalk), totalSize: rows.length };
      },

      getTalk: async (request) => {
        const talk = await talks.findTalk(sql, request.talkId);
        if (!talk) throw notFound("Talk", request.talkId);
        return { talk: toTalk(talk) };
      },

      createTalk: async (request, context) => {
        const caller = requireCaller(context);
        const start_at = request.startAt ? dateOf(request.startAt, "start_at") : null;
        const image = request.imageBase64 ? await decodeImage(request.imageBase64, "image_base64") : undefined;
        return sql.begin(async (tx) => {
          const id = await talks.insertTalk(tx, {
            title: request.title,
            body: request.body,
            start_at,
            user_id: await requireSpeaker(tx, request.userId),
            event_id: await requireEvent(tx, request.eventId),
            image_id: image ? await storeImage(tx, image) : null,
          });
          const talk = await lockTalk(tx, id);
          await announce(tx, caller, "created", undefined, talk);
          return { talk: toTalk(talk) };
        });
      },

      updateTalk: async (request, context) => {
        const caller = requireCaller(context);
        const start_at = request.startAt && dateOf(request.startAt, "start_at");
        const image = request.imageBase64 ? await decodeImage(request.imageBase64, "image_base64") : undefined;
        return sql.begin(async (tx) => {
          const before = await lockTalk(tx, request.talkId);
          await talks.updateTalk(tx, before.id, {
            ...(await changeOf(tx, request)),
            ...(start_at && { start_at }),
            ...(image && { image_id: await storeImage(tx, image) }),
          });
          if (image) await removeImage(tx, before.image_id);
          const talk = await lockTalk(tx, before.id);
          await announce(tx, caller, "updated", before, talk);
          return { talk: toTalk(talk) };
        });
      },

      deleteTalk: async (request, context) => {
        const caller = requireCaller(context);
        await sql.begin(async (tx) => {
          const before = await lockTalk(tx, request.talkId);
          await talks.removeTalk(tx, before.id);
          await removeImage(tx, before.image_id);
          await announce(tx, caller, "deleted", before, undefined);
        });
        return { success: true };
      },

      uploadTalkImage: async (request, context) => {
        const caller = requireCaller(context);
        const image = await decodeImage(request.imageBase64, "image_base64");
        return sql.begin(async (tx) => {
          const before = await lockTalk(tx, request.talkId);
          const image_id = await storeImage(tx, image);
          await talks.updateTalk(tx, before.id, { image_id });
          await removeImage(tx, before.image_id);
          await announce(tx, caller, "updated", before, await lockTalk(tx, before.id));
          return { imageUrl: imageUrl(image_id) };
        });
      },

      vote: (request, context) =>
        sql.begin(async (tx) => {
          const { id } = await lockTalk(tx, request.talkId);
          await talks.addVote(tx, id, requireCaller(context).userId);
          return { points: await tellPoints(tx, id) };
        }),

      unvote: (request, context) =>
        sql.begin(async (tx) => {
          const { id } = await lockTalk(tx, request.talkId);
          await talks.removeVote(tx, id, requireCaller(context).userId);
          return { points: await tellPoints(tx, id) };
        }),

      giveFeedback: async (request, context) => {
        const { userId } = requireCaller(context);
        await sql.begin(async (tx) => {
          const { id } = await lockTalk(tx, request.talkId);
          const feedback = { talk_id: id, user_id: userId, text: request.text, rating: request.rating };
          if (!(await talks.addFeedback(tx, feedback))) throw alreadyExists("You gave feedback on this talk before");
        });
        return { success: true };
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
  if (!(await findEvent(tx, id))) throw notFound("Event", id);
  return id;
}

async function lockTalk(tx: Tx, id: string): Promise<TalkRow> {
  const talk = await talks.lockTalk(tx, id);
  if (!talk) throw notFound("Talk", id);
  return talk;
}

async function tellPoints(tx: Tx, talkId: string): Promise<number> {
  const talk = await lockTalk(tx, talkId);
  await tell(tx, talk, "talk.voted", { talk_id: talkId, points: talk.points });
  return talk.points;
}

async function announce(
  tx: Tx,
  caller: Caller,
  verb: string,
  before: TalkRow | undefined,
  after: TalkRow | undefined,
): Promise<void> {
  const talk = after ?? before;
  if (!talk) return;
  await audit(tx, caller, `talk.${verb}`, `talk ${talk.id}`, { before, after });
  await tell(tx, talk, `talk.${verb}`, { talk_id: talk.id });
}

async function tell(tx: Tx, talk: TalkRow, type: string, payload: object): Promise<void> {
  await postEvent(tx, "events", type, payload);
  if (talk.event_id) await postEvent(tx, `event.${talk.event_id}`, type, payload);
}
