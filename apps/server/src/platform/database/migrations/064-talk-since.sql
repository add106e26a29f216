-- When the current talk of a stage screen began: how late a night is.
alter table stage_screens add column talk_since timestamptz;
