import type { Db } from "../../platform/database/database.ts";
import type { ListDefinition } from "../../platform/database/lists.ts";

export interface FeedbackFields {
  readonly talk_id: string;
  readonly user_id: string;
  readonly text: string;
  /** Rating from 1 to 5; 0 without one. */
  readonly rating: number;
}

export interface FeedbackRow extends FeedbackFields {
  readonly user_name: string;
  readonly created_at: Date;
}

/** Feedback on one talk, one per user, newest first. Users who were deleted later are included. */
export const feedbackOf = (talkId: string): ListDefinition => ({
  columns: (db) => db`f.talk_id, f.user_id, f.text, f.rating, f.created_at, u.name as user_name`,
  from: (db) => db`(select * from talk_feedback where talk_id = ${talkId}) f join users u on u.id = f.user_id`,
  id: (db) => db`f.user_id`,
  idType: "text",
  orders: {
    created_at: { by: (db) => db`f.created_at`, type: "timestamptz" },
    rating: { by: (db) => db`f.rating`, type: "integer" },
  },
  ownOrder: "created_at desc",
  filters: { rated: (db) => db`f.rating > 0`, unrated: (db) => db`f.rating = 0` },
  searched: (db) => db`lower(u.name || ' ' || f.text)`,
});

/** @returns the mean of the ratings, from 1 to 5; 0 if there is none */
export async function averageRating(db: Db, talkId: string): Promise<number> {
  const [row] = await db<{ average: number }[]>`
    select coalesce(avg(rating), 0)::float8 as average from talk_feedback where talk_id = ${talkId} and rating > 0`;
  return row?.average ?? 0;
}

/** Stores feedback; returns false if this user has given feedback on this talk before. */
export async function addFeedback(db: Db, feedback: FeedbackFields): Promise<boolean> {
  const rows = await db`insert into talk_feedback ${db({ ...feedback })} on conflict do nothing returning 1`;
  return rows.length === 1;
}
