import type { Night } from "./night.ts";

/** Tabs of the page; the URL fragment names the current one. */
export const TAB_NAMES = ["tonight", "code", "songs", "chat", "me"] as const;
export type Tab = (typeof TAB_NAMES)[number];

export interface TabProps {
  readonly night: Night;
  readonly onTab: (tab: Tab) => void;
}
