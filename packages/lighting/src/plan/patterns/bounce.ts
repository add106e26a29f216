import { chase } from "./pattern.ts";

export const bounce = chase("bounce", {
  says: "one lamp after the other, there and back",
  travels: true,
  share: 0.25,
  cells: 4,
  cycle: 6,
});
