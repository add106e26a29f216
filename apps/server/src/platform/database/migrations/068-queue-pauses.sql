-- Queues of jobs of which no worker is given one until then.
create table queue_pauses (
  queue text primary key check (queue in ('SONGS', 'STEMS')),
  until timestamptz not null
);
