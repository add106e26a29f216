-- Which readers made a definition of its file: others read the file again.
alter table fixture_definitions add column readers text not null default '';
