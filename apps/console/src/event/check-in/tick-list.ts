/** Name on a printed list: the surname, here the last word, comes first. */
export function surnameFirst(name: string): string {
  const words = name.trim().split(/\s+/);
  const surname = words.pop() ?? "";
  return words.length === 0 ? surname : `${surname}, ${words.join(" ")}`;
}

const NAMES = new Intl.Collator(undefined, { sensitivity: "base", numeric: true });

/** Orders people by surname, then by their other names. */
export const bySurname = (a: { readonly userName: string }, b: { readonly userName: string }): number =>
  NAMES.compare(surnameFirst(a.userName), surnameFirst(b.userName));
