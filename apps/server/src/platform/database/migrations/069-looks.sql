-- The community's own looks: the cues of one section, kept for others. Of names that differ in case alone there is one.
create table looks (
  id text primary key,
  name text not null check (char_length(name) between 1 and 80),
  look jsonb not null,
  created_at timestamptz not null default now()
);
create unique index looks_name on looks (lower(name));
