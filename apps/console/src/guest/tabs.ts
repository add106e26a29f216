import type { Night } from "./night.ts";

/** Tabs of the page; the name of the one that is shown stands behind the stroke of the address. */
export const TAB_NAMES = ["tonight", "code", "songs", "chat", "me"] as const;
export type Tab = (typeof TAB_NAMES)[number];

export interface TabProps {
  readonly night: Night;
  readonly onTab: (tab: Tab) => void;
}
