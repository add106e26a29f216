import type { Sql } from "../../apps/server/src/platform/database/database.ts";

/** The thread that the bench reads. */
export const LONG_THREAD = "BENCHTHREAD";
const THREADS = 200;

/** One thread of so many messages, beside 200 others of a hundred; `memberId` is in it. */
export async function addMessages(db: Sql, memberId: string, messages: number): Promise<void> {
  await db`
    insert into chat_threads (id, title, last_number)
    select case when i = 0 then ${LONG_THREAD} else 'T' || i end, 'Thread ' || i,
      case when i = 0 then ${messages}::int else 100 end
    from generate_series(0, ${THREADS}::int) i
    on conflict (id, community_id) do update set last_number = excluded.last_number`;
  await db`
    insert into chat_members (thread_id, user_id)
    values (${LONG_THREAD}, ${memberId}), (${LONG_THREAD}, 'U00000001'), (${LONG_THREAD}, 'U00000002')
    on conflict do nothing`;
  await db`
    insert into chat_messages (id, thread_id, number, user_id, text)
    select thread.id || i, thread.id, i, 'U0000000' || (1 + i % 2), 'Message ' || i || ' of a long evening'
    from chat_threads thread, generate_series(1, thread.last_number) i
    on conflict do nothing`;
  await db`
    insert into chat_reactions (message_id, user_id, emoji)
    select id, 'U00000001', '👍' from chat_messages where number % 5 = 0 on conflict do nothing`;
  await db`vacuum analyze chat_messages`;
}
