-- Codes that attendees read out or door staff type. Drawn at random when the codes of an event are first read.
create table short_codes (
  event_id text not null,
  user_id text not null,
  short_code text not null,
  community_id smallint not null default current_community(),
  primary key (event_id, user_id, community_id),
  unique (event_id, short_code, community_id),
  foreign key (event_id, community_id) references events (id, community_id) on delete cascade,
  foreign key (user_id, community_id) references users (id, community_id) on delete cascade
);
create index short_codes_user on short_codes (user_id);
alter table short_codes enable row level security;
create policy apart on short_codes using (community_id = (select current_community()));

-- On a venue server: issued by the office, as the code is. Null: the office has an earlier release.
alter table box_codes add column short_code text;
create index box_codes_short on box_codes (event_id, short_code);
