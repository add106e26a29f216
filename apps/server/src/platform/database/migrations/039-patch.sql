-- Where a lamp stands or hangs on the stage plan: x from left (0) to right (1) as the audience sees it, y from the back
-- of the stage (0) to its front edge (1). Null: nobody said, and a picture lines it up by its group.
alter table lights
  add column stage_x double precision check (stage_x between 0 and 1),
  add column stage_y double precision check (stage_y between 0 and 1),
  add constraint lights_stage_place_is_whole check ((stage_x is null) = (stage_y is null));
