import { chase } from "./pattern.ts";

export const alternate = chase("alternate", "alternate", 2, "every other lamp, then the others", true);
