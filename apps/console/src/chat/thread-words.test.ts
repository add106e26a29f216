import { create } from "@bufbuild/protobuf";
import { MessageSchema, ThreadSchema, type Message } from "@followspot/contract/chat";
import { expect, test } from "vitest";
import { followsOn, lastLine, threadTitle, unreadText } from "./thread-words.ts";

const people = (...names: string[]) => ({
  memberIds: names,
  members: names.map((name) => ({ userId: name, name })),
});
const thread = (fields: object) => create(ThreadSchema, fields as never);
const message = (fields: object): Message => create(MessageSchema, fields as never);

test("names a thread by its title, else by its other members", () => {
  expect(threadTitle(thread({ title: "Crew", ...people("Ada", "Bea") }), "Ada")).toBe("Crew");
  expect(threadTitle(thread(people("Ada", "Bea", "Cy")), "Ada")).toBe("Bea, Cy");
  expect(threadTitle(thread(people("Ada", "Bea", "Cy", "Dee", "Eli", "Flo")), "Ada")).toBe("Bea, Cy, Dee +2");
  expect(threadTitle(thread(people("Ada")), "Ada")).toBe("Just you");
  expect(threadTitle(thread(people()), "Ada")).toBe("No members");
});

test("formats the last message as one line with its author", () => {
  const of = (lastMessage?: object) => lastLine(thread({ lastMessage: lastMessage && message(lastMessage) }), "Ada");
  expect(of()).toBe("Nothing was said yet");
  expect(of({ userId: "Ada", userName: "Ada", text: "one\n two" })).toBe("You: one two");
  expect(of({ userId: "Bea", userName: "Bea", text: "Hi" })).toBe("Bea: Hi");
  const deletedAt = { seconds: 1n, nanos: 0 };
  expect(of({ deletedAt })).toBe("Someone who left: Message deleted");
  expect(of({ userName: "Bea", deletedAt, deletedByModerator: true })).toBe("Bea: Deleted by a moderator");
});

test("shows more than 99 unread messages as 99+", () => {
  expect([1, 99, 100].map(unreadText)).toEqual(["1", "99", "99+"]);
});

test("groups messages of one author within five minutes", () => {
  const at = (userId: string, seconds: number) =>
    message({ userId, userName: userId, createdAt: { seconds: BigInt(seconds), nanos: 0 } });
  expect(followsOn(at("Ada", 100), undefined)).toBe(false);
  expect(followsOn(at("Ada", 399), at("Ada", 100))).toBe(true);
  expect(followsOn(at("Ada", 400), at("Ada", 100))).toBe(false);
  expect(followsOn(at("Bea", 101), at("Ada", 100))).toBe(false);
});
