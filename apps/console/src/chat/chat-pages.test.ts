import { create } from "@bufbuild/protobuf";
import { MessageSchema, type Message } from "@followspot/contract/chat";
import { expect, test } from "vitest";
import { inOrder, withMessage, withReaction, type MessagePages } from "./chat-pages.ts";

const message = (number: number, fields: Partial<Message> = {}) =>
  create(MessageSchema, { id: `m${number}`, number, text: `text ${number}`, ...fields } as never);
/** Cached pages, newest first, as the server sends them. */
const held = (...pages: readonly (readonly number[])[]): MessagePages => ({
  pages: pages.map((numbers) => ({ messages: numbers.map((number) => message(number)), nextPageToken: "" })),
  pageParams: pages.map(() => ""),
});
const numbers = (pages: MessagePages | undefined) => pages && inOrder(pages.pages).map(({ number }) => number);

test("sorts messages of all pages oldest first, each once", () => {
  expect(inOrder(held([5, 4, 3], [3, 2, 1]).pages).map(({ text }) => text)).toEqual(
    [1, 2, 3, 4, 5].map((number) => `text ${number}`),
  );
});

test("appends the next message", () => {
  expect(numbers(withMessage(held([2, 1]), message(3)))).toEqual([1, 2, 3]);
  expect(numbers(withMessage(held([]), message(1)))).toEqual([1]);
});

test("detects missing messages from a gap in the numbers", () => {
  expect(withMessage(held([2, 1]), message(4))).toBeUndefined();
});

test("replaces a cached message in place without duplicating it", () => {
  const after = withMessage(held([4, 3], [2, 1]), message(2, { text: "edited" }));
  expect(numbers(after)).toEqual([1, 2, 3, 4]);
  expect(inOrder(after!.pages)[1]!.text).toBe("edited");
});

test("ignores a message of a page that is not loaded", () => {
  const before = held([9, 8]);
  expect(withMessage(before, message(3))).toBe(before);
});

test("a deleted message stays deleted if an older state arrives late", () => {
  const deleted = withMessage(held([2, 1]), message(2, { text: "", deletedAt: { seconds: 1n, nanos: 0 } as never }))!;
  expect(inOrder(withMessage(deleted, message(2))!.pages)[1]!.deletedAt).toBeDefined();
});

// kept: Live | Each reaction to a chat message was told with the ids of all who had reacted to it, to all readers |
// also
test("counts a reaction once per user, and removes it with its last user", () => {
  const given = (messageId: string, userId: string, isGiven: boolean) => ({ messageId, userId, emoji: "👋", isGiven });
  const reactionsOf = (pages: MessagePages, at: number) =>
    inOrder(pages.pages)[at]!.reactions.map(({ emoji, userIds }) => [emoji, ...userIds]);
  let pages = held([2, 1]);
  for (const userId of ["ana", "bo", "ana"]) pages = withReaction(pages, given("m1", userId, true));
  expect(reactionsOf(pages, 0)).toEqual([["👋", "bo", "ana"]]);
  expect(reactionsOf(pages, 1)).toEqual([]);
  pages = withReaction(pages, given("m1", "bo", false));
  expect(reactionsOf(pages, 0)).toEqual([["👋", "ana"]]);
  pages = withReaction(withReaction(pages, given("m1", "ana", false)), given("m9", "ana", true));
  expect([reactionsOf(pages, 0), numbers(pages)]).toEqual([[], [1, 2]]);
});
