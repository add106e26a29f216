import { expect, test } from "vitest";
import { parseVideoLink } from "./video-link.ts";

const ID = "dQw4w9WgXcQ";

test.each([
  `https://www.youtube.com/watch?v=${ID}`,
  `https://youtube.com/watch?v=${ID}&list=PL123&t=42`,
  `http://m.youtube.com/watch?v=${ID}`,
  `https://music.youtube.com/watch?v=${ID}`,
  `https://youtu.be/${ID}?si=x`,
  `https://www.youtube.com/shorts/${ID}`,
  `  https://WWW.YOUTUBE.COM/watch?v=${ID}  `,
])("reads the video of %s and rebuilds the link", (text) => {
  expect(parseVideoLink(text)).toEqual({ ytid: ID, url: `https://www.youtube.com/watch?v=${ID}` });
});

test.each([
  "",
  "not a link",
  ID,
  `https://evil.example/?u=https://www.youtube.com/watch?v=${ID}`,
  `https://www.youtube.com.evil.example/watch?v=${ID}`,
  `https://evil-youtube.com/watch?v=${ID}`,
  `https://youtube.com@evil.example/watch?v=${ID}`,
  `https://user:pass@youtube.com/watch?v=${ID}`,
  `https://youtube.com:8080/watch?v=${ID}`,
  `file:///etc/passwd#youtube.com/watch?v=${ID}`,
  `javascript:alert("youtube.com/watch?v=${ID}")`,
  `https://www.youtube.com/watch?v=${ID}x`,
  "https://www.youtube.com/watch?v=--exec=rm%20-rf",
  `https://www.youtube.com/redirect?q=http://127.0.0.1/&v=${ID}`,
  "https://www.youtube.com/watch?v=../../../etc",
  `https://youtu.be/${ID}/extra`,
  `https://www.youtube.com/playlist?list=${ID}`,
  `https://www.yоutube.com/watch?v=${ID}`, // Cyrillic о
])("refuses %s", (text) => {
  expect(parseVideoLink(text)).toBeUndefined();
});
