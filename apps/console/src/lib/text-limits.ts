import { strings } from "./strings.ts";

/** Returns the message for a text with too many characters; undefined if it fits. */
export const tooLong = (length: number, most: number | undefined): string | undefined =>
  most !== undefined && length > most ? strings.tooLong(length, most) : undefined;

/** Adds a length limit to a form rule: a text that is too long is refused, not truncated. */
export const limited =
  (most: number, rule?: (value: string) => true | string) =>
  (value: string): true | string =>
    tooLong(value.length, most) ?? rule?.(value) ?? true;
