-- What the music does while a talk of the event is on the stage screen. Earlier events keep their behavior: it continues.
alter table events add column music_during_talks text not null default 'continues'
  check (music_during_talks in ('pauses', 'quiet', 'continues'));
alter table events alter column music_during_talks set default 'pauses';
