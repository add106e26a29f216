-- Where a lamp with pan and tilt looks (HeadAim of the contract); null: as every lamp, around the middle of its travel.
alter table lights add column aim jsonb check (jsonb_typeof(aim) = 'object');
