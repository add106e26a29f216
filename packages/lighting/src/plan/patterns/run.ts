import { chase } from "./pattern.ts";

export const run = chase("run", {
  says: "one lamp hands over to the next",
  travels: true,
  share: 0.25,
  cells: 4,
  cycle: 4,
});

/** Run for loud sections: half of the fixtures are lit, so that the light is as strong as with other patterns. */
export const march = chase("run", {
  name: "march",
  says: "two neighbours march across, one lamp a step",
  travels: true,
  share: 0.5,
  cells: 4,
  width: 2,
  cycle: 4,
});
