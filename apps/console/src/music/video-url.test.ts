import { expect, test } from "vitest";
import { videoUrlError } from "./video-url.ts";

test.each(["", "   "])("asks for a link instead of %j", (url) => {
  expect(videoUrlError(url)).toBe("Please enter a YouTube URL");
});

test.each([
  "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  "https://youtu.be/dQw4w9WgXcQ",
  " http://m.youtube.com/watch?v=dQw4w9WgXcQ ",
  "music.youtube.com/watch?v=dQw4w9WgXcQ",
])("takes %s", (url) => {
  expect(videoUrlError(url)).toBeUndefined();
});

test.each([
  "https://example.com/?next=youtube.com",
  "https://youtube.com.example.org/watch?v=dQw4w9WgXcQ",
  "https://notyoutube.com/watch?v=dQw4w9WgXcQ",
  "javascript:alert('youtube.com')",
  "not a link",
])("refuses %s", (url) => {
  expect(videoUrlError(url)).toBe("Invalid YouTube URL");
});
