-- Where a light is, in metres from where the middle of the stage meets its back wall: x to the right as the hall sees it, y
-- towards the hall, z up; whether it hangs, degrees its front is turned from the hall, and degrees its beam leans (poseSchema
-- of the contract). The place of before was a share of a stage ten metres wide and six deep. What nobody said of height and
-- turn is null: a light is fixed there as others of its kind.
alter table lights
  drop constraint lights_stage_place_is_whole,
  add column pose_x double precision check (pose_x between -100 and 100),
  add column pose_y double precision check (pose_y between -100 and 100),
  add column pose_z double precision check (pose_z between 0 and 50),
  add column hangs boolean,
  add column turn double precision check (turn between -180 and 180),
  add column lean double precision check (lean between -180 and 180);

update lights set pose_x = (stage_x - 0.5) * 10, pose_y = stage_y * 6 where stage_x is not null;

alter table lights
  drop column stage_x,
  drop column stage_y,
  add constraint lights_place_is_whole check ((pose_x is null) = (pose_y is null)),
  add constraint lights_pose_is_whole check (num_nulls(pose_z, hangs, turn, lean) in (0, 4)),
  add constraint lights_pose_has_a_place check (pose_z is null or pose_x is not null);
