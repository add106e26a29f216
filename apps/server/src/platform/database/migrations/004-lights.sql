create table lights (
  id integer generated always as identity primary key,
  label text not null,
  light_type text not null,
  mode text not null,
  channel_count integer not null check (channel_count between 1 and 512),
  channel_config text not null default '',
  -- Missing sorts as 999.
  position integer check (position between 1 and 999),
  enabled boolean not null default true,
  universe integer not null default 1 check (universe between 1 and 63999),
  dmx_override integer check (dmx_override between 1 and 512),
  -- First slot in use: the override, or packed by position.
  dmx_address integer not null check (dmx_address between 1 and 512),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint lights_within_universe check (dmx_address + channel_count - 1 <= 512),
  -- Checked at commit: packing moves many lights through each other's old places.
  constraint lights_do_not_overlap exclude using gist (
    universe with =,
    int4range(dmx_address, dmx_address + channel_count) with &&
  ) deferrable initially deferred
);

create table light_groups (
  id text primary key,
  name text not null,
  type text not null check (type in ('wash', 'par', 'bar', 'spot', 'strobe', 'effect', 'mixed')),
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table light_group_members (
  group_id text not null references light_groups (id) on delete cascade,
  light_id integer not null references lights (id) on delete cascade,
  -- Place in stage order.
  place integer not null,
  primary key (group_id, light_id)
);
create index light_group_members_light on light_group_members (light_id);

-- Where each universe goes.
create table outputs (
  id text primary key,
  place integer not null,
  protocol text not null check (protocol in ('artnet', 'sacn')),
  host text not null,
  port integer not null,
  universe integer not null,
  port_address integer not null,
  offset_ms integer not null,
  enabled boolean not null
);
