import { chase } from "./pattern.ts";

export const fill = chase("fill", {
  says: "one more lamp with each step",
  travels: true,
  share: 0.6,
  cells: 4,
  grows: true,
  cycle: 4,
});
