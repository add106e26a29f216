import { chase } from "./pattern.ts";

export const run = chase("run", "run", 8, "one lamp hands over to the next", true);
