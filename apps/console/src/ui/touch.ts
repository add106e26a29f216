/** Classes of a touch target for use in the dark: at least 48 px high. */
export const TOUCH =
  "inline-flex min-h-12 min-w-12 items-center justify-center gap-2 rounded-lg border px-3 text-base font-medium whitespace-nowrap transition-colors disabled:opacity-50";
