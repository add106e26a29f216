-- Whether a stage screen shows the stage behind its words, lit by what the lamps get.
alter table stage_screens add column shows_lamps boolean not null default false;
