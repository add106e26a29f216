import { chase } from "./pattern.ts";

export const mirror = chase("mirror", "mirror", 4, "from the outside to the middle, both sides alike", false);
