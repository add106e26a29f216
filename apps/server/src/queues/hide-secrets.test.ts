import { expect, test } from "vitest";
import { HIDDEN, hideHeader, hideInText, hideSecrets } from "./hide-secrets.ts";

test("an outcome keeps its lease token to itself, and a song its key", () => {
  const outcome = { job_id: "j1", lease_token: "t-1", outcome: { kind: "done", result: { key: "A minor" } } };
  expect(hideSecrets("responses.songs.analysis", outcome)).toEqual({ ...outcome, lease_token: HIDDEN });
});

test("an ended sign-in keeps its session to itself, in either spelling and however deep", () => {
  const ended = { payload: { user_id: "u1", session_id: "s1", rows: [{ sessionId: "s2" }] } };
  const hidden = { payload: { user_id: "u1", session_id: HIDDEN, rows: [{ sessionId: HIDDEN }] } };
  expect(hideSecrets("events.session.ended", ended)).toEqual(hidden);
});

test.each(["code", "loginCode", "password", "newPassword", "access_token", "Authorization", "cookie", "api-key"])(
  "a field called %s is hidden whatever it holds",
  (name) => {
    for (const value of ["abc", 123456, { deep: "abc" }, ["abc"]]) {
      expect(hideSecrets("songs.download", { [name]: value })).toEqual({ [name]: HIDDEN });
    }
  },
);

test("what is empty or no secret stays as it is", () => {
  const plain = { token: "", code: null, key: "A minor", musicalKey: "F", zip: "codes", tempo: 128, is_ok: true };
  expect(hideSecrets("events.song.updated", plain)).toEqual(plain);
});

test("what people write to each other is hidden, a song's text is not", () => {
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
])("%s in a text is hidden", (_what, text, secret) => {
  expect(hideInText(text)).not.toContain(secret);
  expect(hideSecrets("failures.songs.download", { reason: text })).toEqual({ reason: hideInText(text) });
});

test("a plain sentence stays as it is", () => {
  const sentence =
    "ffmpeg ended, code: 187. The site answered 403: Forbidden. Try again at 17:30, or see https://example.org/help?a=1.";
  expect(hideInText(sentence)).toBe(sentence);
});

test("the id of an outcome's message is its lease token and hidden, the id of another message is not", () => {
  expect(hideHeader("responses.songs.download", "Nats-Msg-Id", "t-1")).toBe(HIDDEN);
  expect(hideHeader("events.song.updated", "Nats-Msg-Id", "m-1")).toBe("m-1");
  expect(hideHeader("events.song.updated", "Authorization", "abc")).toBe(HIDDEN);
});
