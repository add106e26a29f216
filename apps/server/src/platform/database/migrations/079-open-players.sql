-- Pages of players that are open, over all APIs of a community. A row is one line to a page: the API that holds it says every
-- second that it is there and how it is.
create table open_players (
  line text not null,
  -- Names the page over all its lines.
  page text not null,
  name text not null,
  -- It is the sound output of an installation.
  is_output boolean not null,
  since timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  -- When the line ended; null while it is there, and where its API died before it could say so.
  left_at timestamptz,
  -- The line ended, and the page did not close it: it may play on by itself.
  is_lost boolean not null default false,
  -- What the page said of itself last.
  is_allowed boolean not null,
  loaded_ahead integer not null,
  light_minus_sound_ms double precision,
  problem text not null,
  is_delay_set boolean not null,
  levels_db double precision[] not null,
  community_id smallint not null default current_community(),
  primary key (line, community_id)
);
alter table open_players enable row level security;
create policy apart on open_players using (community_id = (select current_community()));

-- The page in whose place the sound output is heard; empty for none.
alter table pa_player add column displaced_page text not null default '';
