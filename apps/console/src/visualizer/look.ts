import { cx } from "../ui/class-names.ts";

/** Class names that say one thing all over the visualizer. */
export const MUTED = "font-normal text-muted";
export const WARN = "text-warn";
export const HELP = "mt-1.5 text-xs";
export const TOOLS = "flex flex-wrap items-center gap-1.5";
export const TOOL_GROUP = "flex flex-col gap-2";
export const LINK = "text-accent tabular-nums underline underline-offset-2";
export const PANEL_TITLE = "mb-2 text-[13px] font-semibold text-muted";
export const SMALL_TITLE = "text-[12px]/[18px] font-semibold";
export const KEY = "rounded border px-1 [font-family:inherit] text-[11px]/[14px] text-muted";
export const SELECT = "h-7 rounded-md border bg-raised px-1 text-[12px] text-fg disabled:opacity-45";
export const BANNER = "rounded-lg border border-warn/40 bg-warn/8 text-warn";

export const NOTICE = cx(BANNER, "mx-4 my-2 flex items-center justify-between gap-3 py-1.5 pr-1.5 pl-3");
export const INFO = "grid grid-cols-[1fr_1.35fr] gap-x-2 gap-y-1.5 [&_dt]:text-muted";
/** Full screen and dark whatever the theme; where it is narrow the page scrolls. */
export const VISUALIZER = "visualizer flex h-dvh flex-col bg-bg text-fg max-[900px]:h-auto max-[900px]:min-h-dvh";

interface ButtonLook {
  /** Only a picture: square. */
  readonly icon?: boolean;
  /** 28 pixels high instead of 32. */
  readonly low?: boolean;
  /** Low and in small type, as in a panel. */
  readonly small?: boolean;
  readonly primary?: boolean;
  /** In a row that has to fit on a phone: narrower there, and words instead of word and picture. */
  readonly tight?: boolean;
}

/** Buttons of the dark stage: taller than those of the lists, for hands that work in the dark. */
export function buttonLook({ icon, low, small, primary, tight }: ButtonLook = {}): string {
  return cx(
    "inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-[background-color]",
    "disabled:cursor-default disabled:opacity-45 aria-pressed:border-accent aria-pressed:text-accent",
    low || small ? "h-7" : "h-8",
    small && "text-[12px]",
    primary
      ? "border-transparent bg-accent text-accent-fg not-disabled:hover:bg-(--accent-hover)"
      : "bg-raised text-fg not-disabled:hover:bg-(--raised-hover)",
    icon ? (small ? "w-7 shrink-0" : "w-[34px]") : small ? "px-[9px]" : "px-3",
    tight && (icon ? "max-[480px]:w-8 max-[480px]:shrink-0" : "max-[480px]:px-2 max-[480px]:[&_svg]:hidden"),
  );
}
