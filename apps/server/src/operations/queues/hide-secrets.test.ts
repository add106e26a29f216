import { expect, test } from "vitest";
import { HIDDEN, hideHeader, hideInText, hideSecrets } from "./hide-secrets.ts";

test("hides the lease token of an outcome, but not the key of a song", () => {
  const outcome = { job_id: "j1", lease_token: "t-1", outcome: { kind: "done", result: { key: "A minor" } } };
  expect(hideSecrets("responses.songs.analysis", outcome)).toEqual({ ...outcome, lease_token: HIDDEN });
});

test("hides the session of an ended sign-in, in either spelling and at any depth", () => {
  const ended = { payload: { user_id: "u1", session_id: "s1", rows: [{ sessionId: "s2" }] } };
  const hidden = { payload: { user_id: "u1", session_id: HIDDEN, rows: [{ sessionId: HIDDEN }] } };
  expect(hideSecrets("events.session.ended", ended)).toEqual(hidden);
});

test.each(["code", "loginCode", "password", "newPassword", "access_token", "Authorization", "cookie", "api-key"])(
  "hides a field called %s whatever its value",
  (name) => {
    for (const value of ["abc", 123456, { deep: "abc" }, ["abc"]]) {
      expect(hideSecrets("songs.download", { [name]: value })).toEqual({ [name]: HIDDEN });
    }
  },
);

test("leaves empty values and other fields unchanged", () => {
  const plain = { token: "", code: null, key: "A minor", musicalKey: "F", zip: "codes", tempo: 128, is_ok: true };
  expect(hideSecrets("events.song.updated", plain)).toEqual(plain);
});

test("hides the text of messages between users, but not of songs", () => {
  const sent = { payload: { message: { id: "m1", text: "see you at nine" } } };
  expect(JSON.stringify(hideSecrets("events.message.created", sent))).not.toContain("nine");
  expect(hideSecrets("events.song.updated", sent)).toEqual(sent);
});

const SIGNED = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1MSJ9.c2lnbmF0dXJl";
test.each([
  ["a signed token", `refused ${SIGNED}`, SIGNED],
  ["a header", "authorization: Bearer abc.def", "abc.def"],
  ["a link's key", "GET https://x.example/a?key=hush&b=1", "hush"],
  ["a link's password", "proxy http://ada:hush@proxy.example", "hush"],
  ["JSON that was cut off", '{"job_id":"j1","lease_token":"hush', "hush"],
  ["a setting", "password=hush", "hush"],
])("hides %s in a text", (_what, text, secret) => {
  expect(hideInText(text)).not.toContain(secret);
  expect(hideSecrets("failures.songs.download", { reason: text })).toEqual({ reason: hideInText(text) });
});

test("leaves a plain sentence unchanged", () => {
  const sentence =
    "ffmpeg ended, code: 187. The site answered 403: Forbidden. Try again at 17:30, or see https://example.org/help?a=1.";
  expect(hideInText(sentence)).toBe(sentence);
});

test("hides the message ID of an outcome, which is its lease token, but not of other messages", () => {
  expect(hideHeader("responses.songs.download", "Nats-Msg-Id", "t-1")).toBe(HIDDEN);
  expect(hideHeader("events.song.updated", "Nats-Msg-Id", "m-1")).toBe("m-1");
  expect(hideHeader("events.song.updated", "Authorization", "abc")).toBe(HIDDEN);
});
