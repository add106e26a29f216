/** For a thumb in the dark: at least 48 pixels high. */
export const TOUCH =
  "inline-flex min-h-12 min-w-12 items-center justify-center gap-2 rounded-lg border px-3 text-base font-medium whitespace-nowrap transition-colors disabled:opacity-50";
