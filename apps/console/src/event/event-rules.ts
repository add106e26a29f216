/** Values of a form's date fields: "2025-01-05T15:30" in the reader's own time zone, or empty. */
export const eventRules = {
  title: (title: string) => title.trim() !== "" || "Title is required",
  start: (start: string) => !Number.isNaN(Date.parse(start)) || "Start date/time is required",
  end: (end: string, { start }: { readonly start: string }) => {
    if (Number.isNaN(Date.parse(end))) return "End date/time is required";
    return !(Date.parse(end) <= Date.parse(start)) || "End date must be after start date";
  },
} as const;

/** A coordinate as typed; what is not a number counts as 0. */
export function coordinate(text: string): number {
  const number = Number.parseFloat(text.replace(",", "."));
  return Number.isFinite(number) ? number : 0;
}

/** A moment as a date field shows it. */
export function toFieldTime(at: Date | undefined): string {
  if (!at) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
