import type { Db } from "../platform/database.ts";
import type { ListDefinition } from "../platform/lists.ts";

export interface FeedbackFields {
  readonly talk_id: string;
  readonly user_id: string;
  readonly text: string;
  /** 0 means no rating, else 1..5. */
  readonly rating: number;
}

export interface FeedbackRow extends FeedbackFields {
  readonly user_name: string;
  readonly created_at: Date;
}

/** What people said of one talk, each once, newest first. A deleted person since said it all the same. */
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

/** @returns the mean of the ratings given, 1..5; 0 when there is none */
export async function averageRating(db: Db, talkId: string): Promise<number> {
  const [row] = await db<{ average: number }[]>`
    select coalesce(avg(rating), 0)::float8 as average from talk_feedback where talk_id = ${talkId} and rating > 0`;
  return row?.average ?? 0;
}

/** False when this person gave feedback on this talk before. */
export async function addFeedback(db: Db, feedback: FeedbackFields): Promise<boolean> {
  const rows = await db`insert into talk_feedback ${db({ ...feedback })} on conflict do nothing returning 1`;
  return rows.length === 1;
}
