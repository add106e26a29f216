import { chase } from "./pattern.ts";

export const sides = chase("sides", "sides", 2, "left and right take turns", true);
