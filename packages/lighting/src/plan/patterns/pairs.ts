import { chase } from "./pattern.ts";

export const pairs = chase("pairs", "pairs", 8, "two neighbours at a time go across", true);
