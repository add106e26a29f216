import { expect, test } from "vitest";
import { linkOrigin, readS3Address, type S3Address } from "./s3-address.ts";
import { parseSettings } from "../settings.ts";

const addressOf = (text: string) => readS3Address(text) as S3Address; // a valid address

test("parses bucket, prefix and options of the store from one setting", () => {
  const text = "s3://songs/of/office?endpoint=https://s3.example.org&region=eu-central-1&path-style=1&links=1";
  expect(parseSettings({ FOLLOWSPOT_BLOBS: text }).FOLLOWSPOT_BLOBS).toEqual({
    text,
    bucket: "songs",
    prefix: "of/office/",
    endpoint: "https://s3.example.org",
    region: "eu-central-1",
    isPathStyle: true,
    hasLinks: true,
  });
  expect(addressOf("s3://songs")).toMatchObject({ bucket: "songs", prefix: "", isPathStyle: false, hasLinks: false });
  expect(addressOf("s3://songs/office/").prefix).toBe("office/");
});

test.each([
  ["/var/songs", "must be s3://"],
  ["https://s3.example.org/songs", "must be s3://"],
  ["s3://key:secret@songs", "without credentials"],
  ["s3://so", "must name a bucket"],
  ["s3://songs/../x y", "must have a prefix of letters"],
  ["s3://songs?endpont=https://x", "knows no endpont="],
  ["s3://songs?endpoint=s3.example.org", "endpoint= must be https://host"],
  ["s3://songs?endpoint=https://a:b@s3.example.org", "endpoint= must be https://host"],
  ["s3://songs?region=EU Central", "region= must be one such as"],
  ["s3://songs?path-style=yes", "path-style= and links= must be 1 or 0"],
  ["s3://songs?links=1", "links=1 needs endpoint="],
])("%s is refused with the expected form", (text, sentence) => {
  expect(() => parseSettings({ FOLLOWSPOT_BLOBS: text })).toThrow(`FOLLOWSPOT_BLOBS: `);
  expect(readS3Address(text)).toContain(sentence);
});

test("pages may load sound from the bucket's origin only if links are enabled", () => {
  const endpoint = "endpoint=https://s3.example.org:9000";
  expect(linkOrigin(undefined)).toBeUndefined();
  expect(linkOrigin(addressOf(`s3://songs?${endpoint}`))).toBeUndefined();
  expect(linkOrigin(addressOf(`s3://songs?${endpoint}&links=1`))).toBe("https://songs.s3.example.org:9000");
  expect(linkOrigin(addressOf(`s3://songs?${endpoint}&links=1&path-style=1`))).toBe("https://s3.example.org:9000");
});
