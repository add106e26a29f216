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
])("parses the video of %s and rebuilds the link", (text) => {
  expect(parseVideoLink(text)).toEqual({ ytid: ID, url: `https://www.youtube.com/watch?v=${ID}` });
});

// kept: Songs and jobs | Links without a scheme, within text or from a consent page were refused | failed on the old
// code
test.each([
  `youtu.be/${ID}`,
  `www.youtube.com/watch?v=${ID}&list=PL123`,
  `YouTube.com/watch?v=${ID}`,
  `m.youtube.com/shorts/${ID}`,
  `https://www.youtube.com/watch?v=${ID}%20`,
  `https://youtu.be/${ID}%20%20 `,
  `https://www.youtube.com/e/${ID}`,
  `https://www.youtube-nocookie.com/embed/${ID}`,
  `youtube-nocookie.com/embed/${ID}?rel=0`,
  `Check this out: https://youtu.be/${ID}`,
  `https://youtu.be/${ID} (live version)`,
  `“Salt” <https://www.youtube.com/watch?v=${ID}>`,
  `Have you heard this (https://youtu.be/${ID})?`,
  `Salt\nhttps://youtu.be/${ID}\nhttps://youtu.be/${ID}`,
  `https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${ID}%26feature%3Dshare`,
  `https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${ID}&gl=DE`,
  `https://www.google.com/url?sa=t&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${ID}`,
  `https://www.google.com/url?q=https://www.youtube.com/watch?v=${ID}`,
])("parses the video of %j as users paste it", (text) => {
  expect(parseVideoLink(text)).toEqual({ ytid: ID, url: `https://www.youtube.com/watch?v=${ID}` });
});

test.each([
  ["soundcloud.com/ada/song", { kind: "page", url: "https://soundcloud.com/ada/song" }],
  ["Mine: https://soundcloud.com/ada/song.", { kind: "page", url: "https://soundcloud.com/ada/song" }],
  ["example.org/music/song.mp3", { kind: "file", url: "https://example.org/music/song.mp3", name: "song.mp3" }],
])("parses %j as users paste it", (text, link) => {
  expect(parseLink(text, ["soundcloud.com"])).toEqual(link);
});

/** Links to no song, whichever sites are configured. */
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
  `https://youtu.be/${ID} https://youtu.be/aaaaaaaaaaa`,
  `https://www.google.com/url?q=https://evil.example/watch?v=${ID}`,
  `https://consent.youtube.com/m?continue=file:///etc/passwd`,
  `https://evil.example/attribution_link?u=/watch?v=${ID}`,
  `youtube.com.evil.example/watch?v=${ID}`,
  `youtube.com:8080/watch?v=${ID}`,
  "song.mp3",
  "../song.mp3",
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
])("accepts %s as a page of a configured site", (text, url) => {
  expect(parseLink(text, SITES)).toEqual({ kind: "page", url });
  expect(parseLink(text, [])).toBeUndefined();
});

// kept: Songs and jobs | Links to other sites and to audio files were refused although they could be downloaded | also
test.each([
  ["https://example.org/music/Ada%20-%20Song.mp3#x", "https://example.org/music/Ada%20-%20Song.mp3", "Ada - Song.mp3"],
  ["https://example.org/song.FLAC?key=1", "https://example.org/song.FLAC?key=1", "song.FLAC"],
  ["https://example.org/%ff.wav", "https://example.org/%ff.wav", "%ff.wav"],
])("accepts %s as an audio file on any host", (text, url, name) => {
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
])("refuses %s", (text) => {
  expect(parseLink(text, SITES)).toBeUndefined();
});

// kept: Songs and jobs | Refused links named a setting that could not help, or no remedy | failed on the old code
test.each([
  [
    "https://vimeo.com/123",
    "FOLLOWSPOT_LINK_SITES does not name vimeo.com, so of this site only links to audio files are taken.",
  ],
  [
    "https://open.spotify.com/track/x",
    "Songs of open.spotify.com cannot be downloaded. Give a link of YouTube, or upload the file.",
  ],
  ["https://music.apple.com/us/album/x", "Songs of music.apple.com cannot be downloaded."],
  [
    "https://drive.google.com/file/d/x/view",
    "Links of drive.google.com open a page, not the file. Download the file there, and upload it here.",
  ],
  ["https://www.dropbox.com/s/x/song.wav?dl=0", "Links of www.dropbox.com open a page, not the file."],
  ["http://example.org/song.mp3", "Files are fetched over https only. Try the link with https, or upload the file."],
  ["https://10.0.0.1/x", "Files are fetched from the open internet only. Upload the file instead."],
  ["https://example.org:8443/song.mp3", "Links with a port, user name or password are not followed."],
  ["https://ada:secret@example.org/song.mp3", "Give a link without, or upload the file."],
  ["http://nas/song.mp3", "Files are fetched from the open internet only."],
  ["https://www.youtube.com/@ada", "This link names no video. Open the video, and copy the link of its page."],
  [`https://www.youtube.com/watch?v=${ID}x`, "This link names no video."],
])("names an alternative for %s", (text, cure) => {
  expect(refuseLink(text)).toContain(cure);
  expect(refuseLink(text)).toMatch(/^Invalid YouTube URL\. /);
});

test.each(["", "salt", "ftp://elsewhere", "file:///etc/passwd"])("suggests no alternative for %j", (text) => {
  expect(refuseLink(text)).toBe("Invalid YouTube URL");
});
