import { chase } from "./pattern.ts";

export const bounce = chase("bounce", {
  says: "one lamp after the other, there and back",
  travels: true,
  share: 0.25,
  cells: 4,
  cycle: 6,
});

/** Bounce for loud sections: half of the fixtures are lit, so that the light is as strong as with other patterns. */
export const sweep = chase("bounce", {
  name: "sweep",
  says: "two neighbours sweep there and back",
  travels: true,
  share: 0.5,
  cells: 4,
  width: 2,
  cycle: 4,
});
