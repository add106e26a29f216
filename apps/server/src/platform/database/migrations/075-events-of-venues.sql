-- All events that were ever on at a venue: of these alone its box may tell.
alter table venues add column event_ids text[] not null default '{}';
update venues set event_ids = array[event_id] where event_id is not null;
