import { chase } from "./pattern.ts";

export const scatter = chase("scatter", {
  says: "a third of the lamps, others each time",
  travels: true,
  share: 0.33,
  cells: 8,
  cycle: 4,
});
