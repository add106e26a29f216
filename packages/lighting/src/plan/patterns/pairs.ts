import { chase } from "./pattern.ts";

export const pairs = chase("pairs", {
  says: "two neighbours at a time go across",
  travels: true,
  share: 0.4,
  cells: 4,
  cycle: 4,
});
