-- What shows may do with the haze a lamp makes: nothing until somebody says so, single puffs, or low and steady haze and puffs.
alter table lights
  add column haze_in_shows text not null default '' check (haze_in_shows in ('', 'puffs', 'steady'));
