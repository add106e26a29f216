-- Votes are counted where they are kept, so that a list need not count them again.
alter table talks add column points integer not null default 0;
update talks set points = (select count(*) from talk_votes where talk_id = talks.id);
create index talks_by_points on talks (points, id);

create function count_votes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update talks set points = points + n from (select talk_id, count(*) as n from votes group by talk_id) as given
    where id = talk_id;
  else
    update talks set points = points - n from (select talk_id, count(*) as n from votes group by talk_id) as taken
    where id = talk_id;
  end if;
  return null;
end $$;
create trigger talk_votes_given after insert on talk_votes
  referencing new table as votes for each statement execute function count_votes();
create trigger talk_votes_taken after delete on talk_votes
  referencing old table as votes for each statement execute function count_votes();
create index talk_votes_user on talk_votes (user_id);
create index talk_feedback_user on talk_feedback (user_id);

-- The log is read by what was changed, by who did it, and by the kind of thing, newest first.
create index audit_log_person on audit_log (user_id, id);
create index audit_log_noun on audit_log (split_part(action, '.', 1), id);
-- The log holds ids of people; their names are looked up when it is read.
update audit_log set before = before - 'user_name' - 'points', after = after - 'user_name' - 'points'
  where target like 'talk %';
