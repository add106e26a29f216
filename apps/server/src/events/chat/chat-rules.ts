import { invalid, missing } from "../../platform/errors.ts";

/** Maximum number of members in a thread: each message is published to all of them. */
export const MAX_MEMBERS = 500;
/** Maximum number of members in the thread of an event, whose messages are published to its current readers only. */
export const MAX_EVENT_MEMBERS = 2000;
/** Maximum number of different emoji on one message. */
export const MAX_EMOJI = 50;

/** Control characters other than tab and line ends. */
// oxlint-disable-next-line no-control-regex -- these are the ones that are refused
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/**
 * Checks the text of a message, which is stored as typed.
 *
 * @throws invalid_argument for blank text and for control characters
 */
export function requireText(text: string): string {
  if (text.trim() === "") throw invalid("text: write something first; a message of nothing but space cannot be sent");
  if (CONTROL.test(text)) throw invalid("text: holds control characters; take them out and send it again");
  return text;
}

/**
 * Trims and checks the title of a thread; "" for a thread without one.
 *
 * @throws invalid_argument for blank text, control characters and line ends
 */
export function requireTitle(title: string): string {
  const trimmed = title.trim();
  if (title !== "" && trimmed === "") throw invalid("title: is nothing but space; write one, or leave it empty");
  if (CONTROL.test(trimmed) || /[\t\r\n]/.test(trimmed)) throw invalid("title: must be one line of plain text");
  return trimmed;
}

/** Checks the sender's ID of a new thread or message; null for an empty one. */
export function requireClientId(clientId: string): string | null {
  if (CONTROL.test(clientId)) throw invalid("clientId: holds control characters; use letters and digits");
  return clientId === "" ? null : clientId;
}

const SELECTOR = "\ufe0f";
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const KNOWN = /^\p{RGI_Emoji}$/v;
/**
 * Pictographs joined by zero-width joiners; skin tones and tags belong to the sign before them. Also matches emoji of
 * later Unicode versions.
 */
const PICTURE = /^(\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f\u{e0020}-\u{e007f}]*\u200d?)+$/u;

/**
 * Normalizes one emoji: it is the same with and without the variation selector for color.
 *
 * @throws invalid_argument for anything but one emoji
 */
export function requireEmoji(text: string): string {
  if (KNOWN.test(text + SELECTOR)) return text + SELECTOR;
  const isOne = [...graphemes.segment(text)].length === 1;
  if (isOne && (KNOWN.test(text) || (PICTURE.test(text) && !text.endsWith("\u200d")))) return text;
  throw invalid("emoji: must be one emoji");
}

/** The same error for a missing thread and for one that the caller is not in. */
export const noThread = () =>
  missing("This thread does not exist, or you are not in it any more. Ask one of its members to add you.");

/** The same for messages. */
export const noMessage = () =>
  missing("This message does not exist, or you are not in its thread any more. Ask one of its members to add you.");
