import { expect, test } from "vitest";
import { parseLink, parseVideoLink, refuseLink } from "./video-link.ts";

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

/** No song, whatever sites are named. */
const HOSTILE = [
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
];

test.each(HOSTILE)("refuses %s", (text) => {
  expect(parseVideoLink(text)).toBeUndefined();
  expect(parseLink(text, ["soundcloud.com", "bandcamp.com"])).toBeUndefined();
  expect(refuseLink(text)).toMatch(/^Invalid YouTube URL/);
});

const SITES = ["soundcloud.com", "bandcamp.com"];

test.each([
  ["https://soundcloud.com/ada/song?si=x&utm_source=clipboard&in=ada#t=3", "https://soundcloud.com/ada/song?in=ada"],
  ["https://SoundCloud.com/ada/song/", "https://soundcloud.com/ada/song"],
  ["https://m.soundcloud.com/ada/song", "https://m.soundcloud.com/ada/song"],
  ["https://ada.bandcamp.com/track/song", "https://ada.bandcamp.com/track/song"],
])("takes %s as a page of a site that is named", (text, url) => {
  expect(parseLink(text, SITES)).toEqual({ kind: "page", url });
  expect(parseLink(text, [])).toBeUndefined();
});

// kept: Songs and jobs | Links to other sites and to audio files were refused though they could be fetched | also
test.each([
  ["https://example.org/music/Ada%20-%20Song.mp3#x", "https://example.org/music/Ada%20-%20Song.mp3", "Ada - Song.mp3"],
  ["https://example.org/song.FLAC?key=1", "https://example.org/song.FLAC?key=1", "song.FLAC"],
  ["https://example.org/%ff.wav", "https://example.org/%ff.wav", "%ff.wav"],
])("takes %s as an audio file wherever it is", (text, url, name) => {
  expect(parseLink(text, [])).toEqual({ kind: "file", url, name });
});

test.each([
  "http://soundcloud.com/ada/song",
  "https://soundcloud.com:8443/ada/song",
  "https://ada@soundcloud.com/song",
  "https://soundcloud.com.evil.example/song",
  "https://evilsoundcloud.com/song",
  "https://evil.example/soundcloud.com/song",
  "http://example.org/song.mp3",
  "https://example.org:444/song.mp3",
  "https://ada:pass@example.org/song.mp3",
  "https://127.0.0.1/song.mp3",
  "https://2130706433/song.mp3",
  "https://0x7f.1/song.mp3",
  "https://[::1]/song.mp3",
  "https://[::ffff:10.0.0.1]/song.mp3",
  "https://localhost/song.mp3",
  "https://nas/song.mp3",
  "https://example.org./song.mp3",
  "https://example.org/page?file=song.mp3",
  "https://example.org/page#song.mp3",
  "https://www.youtube.com/song.mp3",
  "file:///music/song.mp3",
  "ftp://example.org/song.mp3",
  `https://example.org/${"ü".repeat(400)}.mp3`,
])("takes %s for no song", (text) => {
  expect(parseLink(text, SITES)).toBeUndefined();
});

test("says which setting would let a site in", () => {
  expect(refuseLink("https://vimeo.com/123")).toMatch(
    /^Invalid YouTube URL\. FOLLOWSPOT_LINK_SITES does not name vimeo\.com, so of this site only links to audio files/,
  );
  expect(refuseLink("https://10.0.0.1/x")).toBe("Invalid YouTube URL");
});
