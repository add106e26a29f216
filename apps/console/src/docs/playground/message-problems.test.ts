import { eventsClientMessageSchema, playbackCommandSchema } from "@followspot/contract";
import { expect, test } from "vitest";
import { problemsOf } from "./message-problems.ts";

test("a message the server would read has no problem", () => {
  expect(problemsOf('{"type": "Ping"}', eventsClientMessageSchema)).toEqual([]);
});

test("a problem names the line of its field", () => {
  const text = `{
  "type": "ClientHello",
  "payload": {
    "token": "",
    "subscriptions": [
      "songs", "events",
      7
    ],
    "platform": "desk: {\\n"
  }
}`;
  const lines = problemsOf(text, eventsClientMessageSchema).map(({ line, why }) => [line, why.split(":")[0]]);
  expect(lines.toSorted()).toEqual([
    [7, "payload.subscriptions.2"],
    [9, "payload.platform"],
  ]);
});

test("a missing field is missing on the line of what should hold it", () => {
  const [problem] = problemsOf('{\n  "type": "Subscribe",\n  "payload": {}\n}', eventsClientMessageSchema);
  expect(problem).toMatchObject({ line: 3, isFatal: false });
  expect(problem?.why).toMatch(/^payload\.topic: /);
});

test("an unknown type is a problem of its line", () => {
  expect(problemsOf('{\n"type": "jump"\n}', playbackCommandSchema)).toMatchObject([{ line: 2, isFatal: false }]);
});

test("what is no JSON breaks on the line where it breaks, and cannot be sent", () => {
  expect(problemsOf('{\n  "type": "stop",\n}', playbackCommandSchema)).toMatchObject([{ line: 3, isFatal: true }]);
  expect(problemsOf('{\n  "type": "stop"\n', playbackCommandSchema)).toMatchObject([{ line: 3, isFatal: true }]);
});
