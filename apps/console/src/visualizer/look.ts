import { cx } from "../ui/class-names.ts";

/** Class names that are shared within the visualizer. */
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
/** Full screen, and dark in every theme; a narrow page scrolls. */
export const VISUALIZER = "visualizer flex h-dvh flex-col bg-bg text-fg max-[900px]:h-auto max-[900px]:min-h-dvh";

interface ButtonLook {
  /** Whether the button shows only an icon and is square. */
  readonly icon?: boolean;
  /** Whether the button is 28 pixels high instead of 32. */
  readonly low?: boolean;
  /** Whether the button is low and in small type, as in a panel. */
  readonly small?: boolean;
  readonly primary?: boolean;
  /** Whether the button's row must fit on a phone: there the button is narrower and hides its icon beside text. */
  readonly tight?: boolean;
}

/** Returns the class names of a button of the visualizer, taller than in lists because it is used in the dark. */
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
