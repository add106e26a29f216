import { chase } from "./pattern.ts";

export const mirror = chase("mirror", {
  says: "from the outside to the middle, both sides alike",
  travels: false,
  share: 0.5,
  cells: 2,
  cycle: 2,
});
