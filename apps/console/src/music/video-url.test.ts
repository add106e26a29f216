import { expect, test } from "vitest";
import { namesPlaylist, readTyped, videoUrlError } from "./video-url.ts";

test.each(["", "   "])("asks for a link instead of %j", (url) => {
  expect(videoUrlError(url)).toBe("Please enter a YouTube URL");
});

test.each([
  "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  "https://youtu.be/dQw4w9WgXcQ",
  " http://m.youtube.com/watch?v=dQw4w9WgXcQ ",
  "music.youtube.com/watch?v=dQw4w9WgXcQ",
  "Check this out: https://youtu.be/dQw4w9WgXcQ",
])("accepts %s", (url) => {
  expect(videoUrlError(url)).toBeUndefined();
});

test.each([
  "https://soundcloud.com/ada/song",
  "https://example.org/song.mp3",
  "https://youtube.com.example.org/watch?v=dQw4w9WgXcQ",
])("sends %s to the server, which knows the supported sites", (url) => {
  expect(videoUrlError(url)).toBeUndefined();
});

test.each([
  "javascript:alert('youtube.com')",
  "file:///music/youtube.com",
  "https://localhost/song.mp3",
  "bohemian",
  "not a link",
])("refuses %s", (url) => {
  expect(videoUrlError(url)).toBe("Invalid YouTube URL");
});

test.each([
  ["  ", "nothing"],
  ["straight line", "words"],
  ["bohemian", "words"],
  ["mr. blue sky", "words"],
  ["ac/dc: back in black", "words"],
  ["https://youtu.be/dQw4w9WgXcQ", "video"],
  ["music.youtube.com/watch?v=dQw4w9WgXcQ", "video"],
  ["https://example.com/song", "video"],
  ["Check this out: https://youtu.be/dQw4w9WgXcQ", "video"],
  ["Mine: https://www.youtube.com/playlist?list=PLx (all of it)", "playlist"],
  ["javascript:alert(1)", "video"],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLx", "video"],
  ["https://www.youtube.com/playlist?list=PLx", "playlist"],
  ["m.youtube.com/playlist/?list=PLx", "playlist"],
  ["https://example.com/playlist?list=PLx", "video"],
] as const)("takes %j for %s", (text, typed) => expect(readTyped(text)).toBe(typed));

test("a playlist is named by its link and by the link of a video on it", () => {
  const links = ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLx", "youtube.com/playlist?list=PLx"];
  expect(links.map(namesPlaylist)).toEqual([true, true]);
  expect(["https://youtu.be/dQw4w9WgXcQ", "list=PLx", "https://example.com/?list=PLx"].map(namesPlaylist)).toEqual([
    false,
    false,
    false,
  ]);
});
