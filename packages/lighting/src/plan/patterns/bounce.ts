import { chase } from "./pattern.ts";

export const bounce = chase("bounce", "bounce", 8, "one lamp after the other, there and back", true);
