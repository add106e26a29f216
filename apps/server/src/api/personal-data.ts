import type { KeptPart } from "../community/users/own-data.ts";

/**
 * Everything that is kept of a person, for ExportMyData. A feature that keeps more of people adds its part here: a test
 * holds the tables against it that name people.
 */
export const KEPT_OF_PEOPLE: readonly KeptPart[] = [
  {
    name: "profile",
    tables: ["users"],
    rows: (db, id) => db`
      select name, username, email, phone, unconfirmed_address, purpose, bio, roles, '/media/' || photo_id as photo, verified_at,
        phone_verified_at, created_at, updated_at, last_seen_at
      from users where id = ${id}`,
  },
  {
    name: "sessions",
    tables: ["sessions"],
    rows: (db, id) => db`
      select note as signed_in_with, client, created_at, expires_at, ended_at from sessions
      where user_id = ${id} order by id desc`,
  },
  {
    name: "check_ins",
    tables: ["check_ins"],
    rows: (db, id) => db`
      select e.title as event, c.checked_in_at from check_ins c join events e on e.id = c.event_id
      where c.user_id = ${id} order by c.id desc`,
  },
  {
    name: "registrations",
    tables: ["registrations"],
    rows: (db, id) => db`
      select e.title as event, r.state, r.registered_at from registrations r join events e on e.id = r.event_id
      where r.user_id = ${id} order by r.registered_at desc`,
  },
  {
    name: "talks",
    tables: ["talks"],
    rows: (db, id) => db`
      select t.title, t.body, e.title as event, t.start_at, t.created_at from talks t left join events e on e.id = t.event_id
      where t.user_id = ${id} order by t.id desc`,
  },
  {
    name: "talk_votes",
    tables: ["talk_votes"],
    rows: (db, id) => db`
      select t.title as talk, v.created_at from talk_votes v join talks t on t.id = v.talk_id
      where v.user_id = ${id} order by v.created_at desc`,
  },
  {
    name: "talk_feedback",
    tables: ["talk_feedback"],
    rows: (db, id) => db`
      select t.title as talk, f.text, f.rating, f.created_at from talk_feedback f join talks t on t.id = f.talk_id
      where f.user_id = ${id} order by f.created_at desc`,
  },
  {
    name: "song_votes",
    tables: ["playlist_votes"],
    rows: (db, id) => db`
      select s.title as song, s.artist, p.name as playlist, v.created_at
      from playlist_votes v join songs s on s.id = v.song_id join playlists p on p.id = v.playlist_id
      where v.user_id = ${id} order by v.created_at desc`,
  },
  {
    name: "song_requests",
    tables: ["song_requests"],
    rows: (db, id) => db`
      select coalesce(s.title, r.link) as song, s.artist, r.link, p.name as playlist, r.state, r.note, r.asked_at
      from song_requests r join playlists p on p.id = r.playlist_id left join songs s on s.id = r.song_id
      where r.user_id = ${id} order by r.id desc`,
  },
  {
    name: "songs_played_for_you",
    tables: ["played_songs"],
    rows: (db, id) => db`
      select p.title as song, p.artist, p.playlist, p.started_at from played_songs p
      where p.asked_by = ${id} order by p.started_at desc`,
  },
  {
    name: "gold",
    tables: ["gold_accounts"],
    rows: (db, id) => db`select balance from gold_accounts where user_id = ${id}`,
  },
  {
    name: "gold_transactions",
    tables: ["gold_transactions"],
    rows: (db, id) => db`
      select t.kind, t.amount, giver.name as from_name, getter.name as to_name, t.reason, t.created_at
      from gold_postings p join gold_transactions t on t.id = p.transaction_id
      left join users giver on giver.id = t.from_account left join users getter on getter.id = t.to_account
      where p.account_id = ${id} order by p.transaction_id desc`,
  },
  {
    name: "threads",
    tables: ["chat_members", "chat_threads"],
    rows: (db, id) => db`
      select t.title, t.created_by is not distinct from ${id} as begun_by_you, m.joined_at, t.created_at
      from chat_threads t left join chat_members m on m.thread_id = t.id and m.user_id = ${id}
      where m.user_id is not null or t.created_by = ${id} order by t.id desc`,
  },
  {
    name: "threads_taken_out_of",
    tables: ["chat_taken_out"],
    rows: (db, id) => db`
      select t.title from chat_taken_out o join chat_threads t on t.id = o.thread_id where o.user_id = ${id}`,
  },
  {
    name: "messages",
    tables: ["chat_messages"],
    rows: (db, id) => db`
      select t.title as thread, m.text, m.created_at, m.edited_at, m.deleted_at
      from chat_messages m join chat_threads t on t.id = m.thread_id where m.user_id = ${id} order by m.id desc`,
  },
  {
    name: "reactions",
    tables: ["chat_reactions"],
    rows: (db, id) => db`
      select emoji, created_at from chat_reactions where user_id = ${id} order by created_at desc`,
  },
  {
    name: "log",
    tables: ["audit_log"],
    rows: (db, id) => db`
      select l.at, l.action, l.target, by.name as done_by, own.before, own.after
      from audit_log l left join users by on by.id = l.user_id
      left join lateral (select l.before, l.after where l.target = ${`user ${id}`}) own on true
      where l.user_id = ${id} or l.target = ${`user ${id}`} order by l.id desc`,
  },
];
