import { describe, expect, test } from "vitest";
import { requireEmoji, requireText, requireTitle } from "./chat-rules.ts";

describe("a reaction", () => {
  test.each(["👍", "👍🏽", "❤️", "👩‍👩‍👧", "🏳️‍🌈", "🇩🇪", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🫩"])("may be %s", (emoji) => {
    expect(requireEmoji(emoji)).toBe(emoji);
  });

  test("is the same with and without the variation selector for color", () => {
    expect(requireEmoji("❤")).toBe("❤️");
    expect(requireEmoji("☀")).toBe(requireEmoji("☀️"));
  });

  test.each([
    "",
    "a",
    "👍👍",
    "👍 ",
    "ok",
    "1",
    "e\u0301",
    "👍\u0301\u0301",
    "\u200d",
    "👩\u200d",
    "<b>",
    "🇩",
    "\u202e👍",
    "👍\n",
  ])("is not %j", (text) => {
    expect(() => requireEmoji(text)).toThrow("must be one emoji");
  });
});

describe("a text", () => {
  test.each(["Hi", "  two\n\tlines ", "مرحبا \u202e", "e\u0301 👩‍👩‍👧", "<script>alert(1)</script>"])(
    "is stored as typed: %j",
    (text) => {
      expect(requireText(text)).toBe(text);
    },
  );

  test.each(["", " \n\t ", "\u00a0", "bell\u0007", "\u001b[31m", "\u0085"])("is rejected: %j", (text) => {
    expect(() => requireText(text)).toThrow(/^\[invalid_argument\] text:/);
  });
});

test("a title is one line", () => {
  expect(requireTitle("  Crew ")).toBe("Crew");
  expect(() => requireTitle("a\nb")).toThrow("one line");
});
