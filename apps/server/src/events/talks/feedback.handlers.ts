import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { ListQuerySchema } from "@followspot/contract/list";
import { FeedbackSchema, type Feedback, type TalkService } from "@followspot/contract/talk";
import { requireCaller } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Db, Sql } from "../../platform/database/database.ts";
import { alreadyExists, invalid, notFound, unauthenticated } from "../../platform/errors.ts";
import { countRows, readPage } from "../../platform/database/lists.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { requireOpen } from "./count-votes.ts";
import { addFeedback, averageRating, feedbackOf, type FeedbackRow } from "./feedback.store.ts";
import { findTalk, holdMembers } from "./talks.store.ts";

type FeedbackMethod = "giveFeedback" | "listFeedback" | "countFeedback";

/** Handlers for feedback on talks, one per user and talk. Lock order: user, talk. */
export function feedbackHandlers(sql: Sql): Required<Pick<ServiceImpl<typeof TalkService>, FeedbackMethod>> {
  return {
    giveFeedback: async ({ talkId, text, rating }, context) => {
      const caller = requireCaller(context);
      if (text.trim() === "") throw invalid("text: say something about the talk");
      return change(sql, caller, async (tx) => {
        if (!(await holdMembers(tx, [caller.userId])).has(caller.userId)) throw unauthenticated();
        const { id } = await requireOpen(tx, talkId, await findTalk(tx, talkId));
        const isNew = await addFeedback(tx, { talk_id: id, user_id: caller.userId, text, rating });
        if (!isNew) throw alreadyExists("You gave feedback on this talk before");
        return done({ success: true }, given(id));
      });
    },

    listFeedback: async ({ talkId, list = create(ListQuerySchema) }) => {
      await requireTalk(sql, talkId);
      const { rows, nextPageToken } = await readPage<FeedbackRow>(sql, feedbackOf(talkId), list);
      return { feedback: rows.map(toFeedback), nextPageToken };
    },

    countFeedback: async ({ talkId, query }) => {
      await requireTalk(sql, talkId);
      const [counts, average] = await Promise.all([
        countRows(sql, feedbackOf(talkId), query),
        averageRating(sql, talkId),
      ]);
      return { counts, averageRating: average };
    },
  };
}

/** Checks that a talk exists. Staff can read its feedback also after its event was deleted. @throws not_found */
async function requireTalk(db: Db, id: string): Promise<void> {
  if (!(await findTalk(db, id))) throw notFound("Talk", id);
}

function toFeedback({ talk_id, user_id, user_name, text, rating, created_at }: FeedbackRow): Feedback {
  return create(FeedbackSchema, {
    talkId: talk_id,
    userId: user_id,
    userName: user_name,
    text,
    rating,
    createdAt: timestampOf(created_at),
  });
}

/** Announces new feedback without its text or author. */
const given = (talkId: string): Entry => ({
  noun: "feedback",
  id: talkId,
  verb: "given",
  payload: { talk_id: talkId },
  isMembersOwn: true,
});
