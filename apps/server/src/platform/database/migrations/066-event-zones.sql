-- Name of the IANA list, such as Europe/Berlin; empty: an event without a clock of its own, as all were before.
alter table events add column time_zone text not null default '';
