import { strings } from "./strings.ts";

/** What to say of a text with too many characters; undefined when it fits. */
export const tooLong = (length: number, most: number | undefined): string | undefined =>
  most !== undefined && length > most ? strings.tooLong(length, most) : undefined;

/** A rule of a form that also refuses what is too long, instead of cutting it. */
export const limited =
  (most: number, rule?: (value: string) => true | string) =>
  (value: string): true | string =>
    tooLong(value.length, most) ?? rule?.(value) ?? true;
