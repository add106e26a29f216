import { chase } from "./pattern.ts";

export const fill = chase("fill", "fill", 8, "one more lamp with each step", true);
