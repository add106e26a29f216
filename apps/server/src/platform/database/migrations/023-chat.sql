create table chat_threads (
  id text primary key,
  title text not null default '',
  event_id text references events (id) on delete set null,
  created_by text references users (id) on delete set null,
  -- The same id of the same person is the same thread.
  client_id text,
  created_at timestamptz not null default now(),
  -- Number of the newest message: given out while the thread's row is held, so that nobody sees a later one first.
  last_number integer not null default 0,
  last_message_at timestamptz not null default now(),
  searched text generated always as (lower(title)) stored
);
create unique index chat_threads_once on chat_threads (created_by, client_id);
create index chat_threads_by_last on chat_threads (last_message_at, id);
create index chat_threads_searched on chat_threads using gin (searched gin_trgm_ops);
create index chat_threads_event on chat_threads (event_id) where event_id is not null;

create table chat_members (
  thread_id text not null references chat_threads (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  joined_at timestamptz not null default now(),
  -- Number of the last message this person has read.
  read_number integer not null default 0,
  primary key (thread_id, user_id)
);
create index chat_members_user on chat_members (user_id, thread_id);

create table chat_messages (
  id text primary key,
  thread_id text not null references chat_threads (id) on delete cascade,
  number integer not null,
  -- Empty once the person was purged; then nothing they said may be left.
  user_id text references users (id) on delete set null,
  -- The same id of the same person is the same message.
  client_id text,
  text text not null,
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  deleted_by_moderator boolean not null default false,
  check (text = '' or (deleted_at is null and user_id is not null)),
  unique (thread_id, number)
);
create unique index chat_messages_once on chat_messages (user_id, client_id);
-- What can be unread, so that a count walks over as many rows as it counts.
create index chat_messages_said on chat_messages (thread_id, number) include (user_id) where deleted_at is null;

create table chat_reactions (
  message_id text not null references chat_messages (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  emoji text not null,
  created_at timestamptz not null default now(),
  primary key (message_id, emoji, user_id)
);
create index chat_reactions_user on chat_reactions (user_id);
