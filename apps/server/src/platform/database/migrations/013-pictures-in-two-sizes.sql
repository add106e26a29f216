-- The 96 pixel square that lists show; null for pictures stored before, which are served whole.
alter table images add column small bytea;
