import { chase } from "./pattern.ts";

export const sides = chase("sides", {
  says: "left and right take turns",
  travels: true,
  share: 0.5,
  cells: 2,
  cycle: 2,
});
