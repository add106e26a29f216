-- Definitions from files and of one's own beside the generic ones.
alter table fixture_definitions
  add column format text not null default 'generic' check (format in ('generic', 'own', 'qlc', 'ofl', 'gdtf')),
  -- As it was uploaded, and what was in it.
  add column file_name text not null default '',
  add column original bytea,
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now(),
  add column name text generated always as (definition ->> 'name') stored,
  add column searched text
    generated always as (lower((definition ->> 'name') || ' ' || (definition ->> 'type') || ' ' || key)) stored;
create index fixture_definitions_searched on fixture_definitions using gin (searched gin_trgm_ops);
create index fixture_definitions_by_name on fixture_definitions (lower(name), id);
create index lights_light_type on lights (light_type);
