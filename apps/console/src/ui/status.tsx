import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

export type Tone = "ok" | "busy" | "wait" | "bad" | "off";

/** A state as a colored dot and a word, never as color alone. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden className={cx("size-1.5 shrink-0 rounded-full", DOTS[tone])} />
      {children}
    </span>
  );
}

const DOTS: Record<Tone, string> = {
  ok: "bg-ok",
  busy: "bg-accent",
  wait: "bg-warn",
  bad: "bg-danger",
  off: "bg-muted",
};
