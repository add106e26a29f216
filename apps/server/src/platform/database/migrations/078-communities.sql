-- Several communities on one installation. Each row says whose it is; what a line to the database may see and change hangs on
-- the role it signed in with, and on nothing that a statement could set. Decision 098.
create table communities (
  id smallint primary key,
  -- Names its files, broker account and place in a bucket. The first community of an installation has this one.
  slug text not null unique check (slug ~ '^[a-z][a-z0-9-]{0,30}$'),
  name text not null default '',
  -- What its processes sign in with; null for the first one as long as it is alone: they own the tables then.
  role text unique,
  created_at timestamptz not null default now()
);
insert into communities (id, slug) values (1, 'first');
alter table communities enable row level security;
create policy apart on communities using (role = current_user);

-- Whose rows a line to the database sees. The body is bound to the table above: no search path leads it elsewhere.
create function current_community() returns smallint language sql stable parallel safe
  return coalesce((select id from communities where role = current_user), 1::smallint);

-- These work out rows of the community whose rows were written, also where the database itself wrote them for a reference: it
-- does that as the owner of the tables, who sees all.
create or replace function count_playlist_vote() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update playlist_songs set votes = votes + 1
    where playlist_id = new.playlist_id and song_id = new.song_id and community_id = new.community_id;
  else
    update playlist_songs set votes = votes - 1
    where playlist_id = old.playlist_id and song_id = old.song_id and community_id = old.community_id;
  end if;
  return null;
end $$;
create or replace function count_votes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update talks set points = points + n
    from (select talk_id, community_id, count(*) as n from votes group by 1, 2) as given
    where id = given.talk_id and talks.community_id = given.community_id;
  else
    update talks set points = points - n
    from (select talk_id, community_id, count(*) as n from votes group by 1, 2) as taken
    where id = taken.talk_id and talks.community_id = taken.community_id;
  end if;
  return null;
end $$;
create or replace function post_gold() returns trigger language plpgsql as $$
begin
  insert into gold_postings (transaction_id, account_id, amount, community_id)
  select id, from_account, -amount, community_id from new_transactions
  union all
  select id, to_account, amount, community_id from new_transactions;
  return null;
end $$;
create or replace function book_postings() returns trigger language plpgsql as $$
declare
  lopsided text;
begin
  select transaction_id into lopsided from new_postings group by transaction_id, community_id having sum(amount) <> 0 limit 1;
  if lopsided is not null then
    raise exception 'the postings of gold transaction % do not add up to 0', lopsided;
  end if;
  update gold_accounts set balance = balance + moved.amount
  from (select account_id, community_id, sum(amount)::bigint as amount from new_postings group by 1, 2) as moved
  where id = moved.account_id and gold_accounts.community_id = moved.community_id;
  return null;
end $$;
create or replace function forget_gold_reasons() returns trigger language plpgsql as $$
begin
  update gold_transactions set reason = ''
  where reason <> '' and (from_account = new.id or to_account = new.id) and community_id = new.community_id;
  return null;
end $$;
create or replace function raise_rig_revision() returns trigger language plpgsql as $$
begin
  update rig_revision set revision = revision + 1 where community_id in (select community_id from changed);
  return null;
end $$;
do $$
declare
  of_rig text;
begin
  foreach of_rig in array array['lights', 'light_groups', 'light_group_members', 'outputs'] loop
    execute format('drop trigger %I on %I', of_rig || '_raise_revision', of_rig);
    execute format('create trigger rig_insert after insert on %I referencing new table as changed
      for each statement execute function raise_rig_revision()', of_rig);
    execute format('create trigger rig_update after update on %I referencing new table as changed
      for each statement execute function raise_rig_revision()', of_rig);
    execute format('create trigger rig_delete after delete on %I referencing old table as changed
      for each statement execute function raise_rig_revision()', of_rig);
  end loop;
end $$;

-- Of every table: whose a row is, and that others see none of it. What is unique is so within a community, and a row refers to
-- rows of its own community alone. community_id comes last in each index: the owner's look-ups, which do not name it, use the
-- index as before.
do $$
declare
  kept record;
begin
  create temp table every_table on commit drop as
    select oid, oid::regclass::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not in ('migrations', 'communities');
  create temp table every_reference on commit drop as
    select conrelid::regclass::text as of_table, conname as name,
      pg_get_constraintdef(oid) as was,
      (select string_agg(quote_ident(attname), ', ' order by at.place)
       from unnest(conkey) with ordinality as at (num, place) join pg_attribute on attrelid = conrelid and attnum = at.num) as columns
    from pg_constraint where contype = 'f' and conrelid in (select oid from every_table);

  for kept in select * from every_reference loop
    execute format('alter table %s drop constraint %I', kept.of_table, kept.name);
  end loop;
  for kept in select * from every_table loop
    execute format('alter table %s add column community_id smallint not null default current_community()', kept.name);
    execute format('alter table %s enable row level security', kept.name);
    execute format('create policy apart on %s using (community_id = (select current_community()))', kept.name);
  end loop;

  -- Primary keys, unique constraints and the one that keeps lights apart.
  for kept in
    select conrelid::regclass as of_table, conname as name, contype, pg_get_constraintdef(oid) as was
    from pg_constraint where contype in ('p', 'u', 'x') and conrelid in (select oid from every_table)
  loop
    execute format('alter table %s drop constraint %I', kept.of_table, kept.name);
    execute format('alter table %s add constraint %I %s', kept.of_table, kept.name,
      case when kept.contype = 'x' then replace(kept.was, 'universe WITH =', 'community_id WITH =, universe WITH =')
      else regexp_replace(kept.was, '^([^)]*)\)', '\1, community_id)') end);
  end loop;
  for kept in
    select indexrelid, indrelid::regclass as of_table, relname as name,
      (select string_agg('(' || pg_get_indexdef(indexrelid, place, true) || ')', ', ' order by place)
       from generate_series(1, indnkeyatts) as place) as keys,
      coalesce(' where ' || pg_get_expr(indpred, indrelid), '') as rows
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indisunique and indrelid in (select oid from every_table)
      and not exists (select from pg_constraint where conindid = indexrelid)
  loop
    execute format('drop index %s', kept.indexrelid::regclass);
    execute format('create unique index %I on %s (%s, community_id)%s', kept.name, kept.of_table, kept.keys, kept.rows);
  end loop;

  -- FOREIGN KEY (song_id) REFERENCES songs(id) ON DELETE SET NULL, which must not empty community_id as well.
  for kept in select * from every_reference loop
    execute format('alter table %s add constraint %I %s', kept.of_table, kept.name,
      replace(
        regexp_replace(kept.was, '^([^)]*)\)([^)]*)\)', '\1, community_id)\2, community_id)'),
        'ON DELETE SET NULL', 'ON DELETE SET NULL (' || kept.columns || ')'));
  end loop;
end $$;
