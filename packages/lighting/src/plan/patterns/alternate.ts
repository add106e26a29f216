import { chase } from "./pattern.ts";

export const alternate = chase("alternate", {
  says: "every other lamp, then the others",
  travels: true,
  share: 0.5,
  cells: 2,
  cycle: 2,
});
