-- Effect of the current talk on the music, and the stage screen with that talk. Null: none. Decision 113.
alter table show_queue add column for_talk text check (for_talk in ('paused', 'quiet'));
alter table show_queue add column talk_screen text;
