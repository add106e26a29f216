import { chase } from "./pattern.ts";

export const scatter = chase("scatter", "scatter", 8, "a third of the lamps, others each time", true);
