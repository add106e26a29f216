import { chase } from "./pattern.ts";

export const run = chase("run", {
  says: "one lamp hands over to the next",
  travels: true,
  share: 0.25,
  cells: 4,
  cycle: 4,
});
