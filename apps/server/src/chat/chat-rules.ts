import { invalid, missing } from "../platform/errors.ts";

/** People in one thread at most: each message is told to every one of them. */
export const MAX_MEMBERS = 500;
/** The same of an event's thread, whose messages are told to those who look at it alone. */
export const MAX_EVENT_MEMBERS = 2000;
/** Different emoji on one message at most. */
export const MAX_EMOJI = 50;

/** Control characters other than tab and the ends of lines. */
// oxlint-disable-next-line no-control-regex -- these are the ones that are refused
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/**
 * What a person says, as they typed it.
 * @throws invalid_argument for nothing but space, and for control characters
 */
export function requireText(text: string): string {
  if (text.trim() === "") throw invalid("text: write something first; a message of nothing but space cannot be sent");
  if (CONTROL.test(text)) throw invalid("text: holds control characters; take them out and send it again");
  return text;
}

/**
 * What people call a thread; "" for one without a title.
 * @throws invalid_argument for nothing but space, for control characters and line ends
 */
export function requireTitle(title: string): string {
  const trimmed = title.trim();
  if (title !== "" && trimmed === "") throw invalid("title: is nothing but space; write one, or leave it empty");
  if (CONTROL.test(trimmed) || /[\t\r\n]/.test(trimmed)) throw invalid("title: must be one line of plain text");
  return trimmed;
}

/** What a sender calls what they make; null for nothing. */
export function requireClientId(clientId: string): string | null {
  if (CONTROL.test(clientId)) throw invalid("client_id: holds control characters; use letters and digits");
  return clientId === "" ? null : clientId;
}

const SELECTOR = "\ufe0f";
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const KNOWN = /^\p{RGI_Emoji}$/v;
/** Joined by zero-width joiners; skin tones and tags belong to the sign before them. Also those of a later Unicode. */
const PICTURE = /^(\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f\u{e0020}-\u{e007f}]*\u200d?)+$/u;

/**
 * One emoji in one spelling: with or without the sign that asks for colour it is the same.
 * @throws invalid_argument for anything but one emoji
 */
export function requireEmoji(text: string): string {
  if (KNOWN.test(text + SELECTOR)) return text + SELECTOR;
  const isOne = [...graphemes.segment(text)].length === 1;
  if (isOne && (KNOWN.test(text) || (PICTURE.test(text) && !text.endsWith("\u200d")))) return text;
  throw invalid("emoji: must be one emoji");
}

/** People learn nothing of a thread they are not in. */
export const noThread = () =>
  missing("This thread does not exist, or you are not in it any more. Ask one of its members to add you.");

/** Nor of its messages. */
export const noMessage = () =>
  missing("This message does not exist, or you are not in its thread any more. Ask one of its members to add you.");
