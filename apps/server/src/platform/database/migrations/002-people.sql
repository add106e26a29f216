create extension if not exists pg_trgm;
create extension if not exists btree_gist;

-- Bytes as they are served; the type was sniffed, what the file said about itself is not kept.
create table images (
  id text primary key,
  mime_type text not null check (mime_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  bytes bytea not null,
  created_at timestamptz not null default now()
);

create table users (
  id text primary key,
  name text not null,
  username text not null default '',
  email text not null default '',
  phone text not null default '',
  -- The number without its punctuation: where sign-in codes are matched.
  phone_digits text generated always as (regexp_replace(phone, '[^0-9+]', '', 'g')) stored,
  purpose text not null default '',
  bio text not null default '',
  photo_id text references images (id) on delete set null,
  photo_updated_at timestamptz,
  verified_at timestamptz,
  phone_verified_at timestamptz,
  roles text[] not null default '{}' check (roles <@ array['Admin', 'Director', 'AI']),
  -- A token for scripts, not a person: it neither owns the place nor keeps the last Admin replaceable.
  is_script boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  last_seen_at timestamptz
);
create unique index users_email on users (lower(email)) where email <> '';
create index users_phone on users (phone_digits) where phone_digits <> '';
create index users_about on users using gist ((purpose || ' ' || bio) gist_trgm_ops);

-- One sign-in. A token names its row, so that ending the row ends the token.
create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- What the token is for, for a person: "browser", "admin token".
  note text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_user on sessions (user_id) where ended_at is null;

-- The latest code sent to a target; a row is written for strangers too, so both take as long.
create table login_codes (
  target text primary key,
  code_hmac bytea not null,
  expires_at timestamptz not null
);

-- How often something was tried since the window began.
create table rate_limits (
  key text primary key,
  count integer not null,
  window_start timestamptz not null
);

-- The link that makes the first Admin: one row at most.
create table owner_link (
  singleton boolean primary key default true check (singleton),
  token_hash bytea not null,
  created_at timestamptz not null default now()
);
