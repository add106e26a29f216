import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanImage, decodeImage } from "./images.ts";
import { CANARY, gif, jpeg, png, webp } from "../testing/pictures.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PICTURES = { "image/png": png(), "image/jpeg": jpeg(), "image/webp": webp(), "image/gif": gif() };

test.each(Object.entries(PICTURES))("keeps a %s and drops what it says about its place", (mimeType, bytes) => {
  const clean = cleanImage(bytes, "photo");
  expect(clean.mimeType).toBe(mimeType);
  expect(clean.bytes.includes(CANARY)).toBe(false);
  expect(cleanImage(clean.bytes, "photo").bytes.equals(clean.bytes)).toBe(true);
});

test("keeps which way up a JPEG was held", () => {
  const { bytes } = cleanImage(jpeg(), "photo");
  const exif = bytes.indexOf("Exif\0\0MM");
  expect(bytes.readUInt16BE(exif + 6 + 18)).toBe(6);
});

test.each([
  ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ["HTML", Buffer.from("<html><script>alert(1)</script>")],
  ["nothing", Buffer.alloc(0)],
  ["one byte", Buffer.from([0x89])],
  ["a PNG signature alone", png().subarray(0, 8)],
  ["a PNG cut short", png().subarray(0, -6)],
  ["a PNG with a changed byte", png().fill(7, 20, 21)],
  ["a PNG 30000 pixels wide", png(30_000, 30_000)],
  ["a PNG without width", png(0, 5)],
  ["a JPEG cut short", jpeg().subarray(0, 60)],
  ["a JPEG 20000 pixels high", jpeg(5, 20_000)],
  ["a WebP cut short", webp().subarray(0, 30)],
  ["a GIF cut short", gif().subarray(0, 30)],
  ["a ZIP behind a GIF name", Buffer.from("GIF89aPK\x03\x04")],
  ["9 MiB", Buffer.concat([png(), Buffer.alloc(9 * 1024 * 1024)])],
])("refuses %s", (_what, bytes) => {
  expect(() => cleanImage(bytes, "photo")).toThrow(/photo: /);
});

test("never fails in another way than by refusing, whatever byte is wrong", () => {
  for (const picture of Object.values(PICTURES)) {
    for (let i = 0; i < picture.length * 4; i++) {
      const broken = Buffer.from(picture);
      broken[i % broken.length] = (i * 97) & 0xff;
      try {
        cleanImage(broken.subarray(0, broken.length - (i % 5)), "photo");
      } catch (error) {
        expect(String(error)).toContain("[invalid_argument]");
      }
    }
  }
});

test.each([
  "!!!",
  "a",
  "aGk",
  "data:text/html;base64,aGk=",
  "data:image/svg+xml;base64,PHN2Zy8+",
  "aG k=",
  "aGk=\n",
  "====",
  "é",
])("refuses %j as a picture", (text) => {
  expect(() => decodeImage(text, "photo")).toThrow("[invalid_argument] photo: ");
});

test("serves a picture to people who are signed in, with its exact type and no rights", async () => {
  const { id, token } = await server.person("Ada", ["Admin"]);
  const upload = { userId: id, photoBase64: `data:image/png;base64,${png().toString("base64")}` };
  const { body } = await server.call("user.v1.UserService/UploadPhoto", upload, token);
  const get = (path: string, headers = {}) => fetch(server.base + path, { headers });
  const response = await get(body.photoUrl, { authorization: `Bearer ${token}` });
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toContain("sandbox");
  expect(response.headers.get("content-disposition")).toBe("inline");
  expect(
    Buffer.from(await response.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  expect((await get(body.photoUrl)).status).toBe(401);
  expect((await get("/media/..%2f..%2fetc", { authorization: `Bearer ${token}` })).status).toBe(404);
  const cookie = { cookie: `followspot_session=${token}` };
  expect((await get(body.photoUrl, { ...cookie, "sec-fetch-site": "same-origin" })).status).toBe(200);
  expect((await get(body.photoUrl, { ...cookie, "sec-fetch-site": "cross-site" })).status).toBe(401);
});
