import type { ConnectRouter } from "@connectrpc/connect";
import { TalkService, type UpdateTalkRequest } from "@followspot/contract/talk";
import { findEvent } from "../events.store.ts";
import { requireCaller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { decodeImage, imageUrl, removeImage, storeImage } from "../../platform/pictures/images.ts";
import { requireUnchanged, whyGone } from "../../platform/database/if-unchanged.ts";
import { mapInSlices } from "../../platform/http/in-slices.ts";
import { countRows, listQueryOf, readAll, readPage } from "../../platform/database/lists.ts";
import { dateOf } from "../../platform/database/timestamps.ts";
import { findUser } from "../../community/users/users.store.ts";
import { countVotes } from "./count-votes.ts";
import { feedbackHandlers } from "./feedback.handlers.ts";
import { talkEntry as entry, toTalk } from "./talk-message.ts";
import * as talks from "./talks.store.ts";
import type { TalkFields, TalkRow } from "./talks.store.ts";
import { VoteBox } from "./vote-box.ts";

export interface TalkPorts {
  readonly sql: Sql;
}

export function talkRoutes({ sql }: TalkPorts): (router: ConnectRouter) => void {
  const votes = new VoteBox((talkId, batch) => countVotes(sql, talkId, batch));
  return (router) =>
    router.service(TalkService, {
      listTalks: async (request) => {
        const scope = talks.talksOf(sql, request);
        const query = listQueryOf({ list: request.list });
        if (query) {
          const { rows, nextPageToken } = await readPage<TalkRow>(sql, talks.TALK_LIST, query, scope);
          return { talks: rows.map(toTalk), nextPageToken };
        }
        const rows = await readAll<TalkRow>(sql, talks.TALK_LIST, scope);
        return { talks: await mapInSlices(rows, toTalk), totalSize: rows.length };
      },

      countTalks: async (request) => ({
        counts: await countRows(sql, talks.TALK_LIST, request.query, talks.talksOf(sql, request)),
      }),

      getTalk: async (request) => {
        const talk = await talks.findTalk(sql, request.talkId);
        if (!talk) throw notFound("Talk", request.talkId);
        return { talk: toTalk(talk) };
      },

      createTalk: async (request, context) => {
        const start_at = request.startAt ? dateOf(request.startAt, "startAt") : null;
        const image = request.imageBase64 ? await decodeImage(request.imageBase64, "imageBase64") : undefined;
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
        const caller = requireCaller(context);
        if (request.startAt && request.clearStart) throw invalid("Give startAt or clearStart, not both");
        if (request.imageBase64 && request.clearImage) throw invalid("Give imageBase64 or clearImage, not both");
        const start_at = request.startAt ? dateOf(request.startAt, "startAt") : request.clearStart ? null : undefined;
        const image = request.imageBase64 ? await decodeImage(request.imageBase64, "imageBase64") : undefined;
        return change(sql, caller, async (tx) => {
          const edited = { id: request.talkId, noun: "talk", word: "talk" };
          const before = await talks.lockTalk(tx, request.talkId);
          if (!before) throw await whyGone(tx, caller, edited, request.ifUpdatedAt);
          await requireUnchanged(tx, caller, { ...before, ...edited }, request.ifUpdatedAt);
          await talks.updateTalk(tx, before.id, {
            ...(await changeOf(tx, request, before)),
            ...(start_at !== undefined && { start_at }),
            ...(image && { image_id: await storeImage(tx, image) }),
            ...(request.clearImage && { image_id: null }),
          });
          if (image || request.clearImage) await removeImage(tx, before.image_id);
          // The new speaker may have voted for the talk.
          if (request.userId) await talks.removeVotes(tx, before.id, [request.userId]);
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
        const image = await decodeImage(request.imageBase64, "imageBase64");
        return change(sql, requireCaller(context), async (tx) => {
          const before = await lockTalk(tx, request.talkId);
          const image_id = await storeImage(tx, image);
          await talks.updateTalk(tx, before.id, { image_id });
          await removeImage(tx, before.image_id);
          return done({ imageUrl: imageUrl(image_id) }, entry("updated", before, await lockTalk(tx, before.id)));
        });
      },

      vote: async (request, context) => ({
        points: await votes.cast(request.talkId, { caller: requireCaller(context), isGiven: true }),
      }),

      unvote: async (request, context) => ({
        points: await votes.cast(request.talkId, { caller: requireCaller(context), isGiven: false }),
      }),

      ...feedbackHandlers(sql),
    });
}

async function changeOf(tx: Tx, request: UpdateTalkRequest, { user_id }: TalkRow): Promise<Partial<TalkFields>> {
  return {
    ...(request.title !== undefined && { title: request.title }),
    ...(request.body !== undefined && { body: request.body }),
    ...(request.userId !== undefined && { user_id: await requireSpeaker(tx, request.userId, user_id) }),
    ...(request.eventId !== undefined && { event_id: await requireEvent(tx, request.eventId) }),
  };
}

/**
 * Returns the speaker to store; an empty ID removes the speaker.
 *
 * @param present current speaker of the talk, who may remain although the account was deleted
 */
async function requireSpeaker(tx: Tx, id: string, present?: string | null): Promise<string | null> {
  if (id === "") return null;
  const user = await findUser(tx, id);
  if (!user || (user.deleted_at && id !== present)) throw notFound("User", id);
  return id;
}

/** Returns the event to store; an empty ID removes the talk from its event. */
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
