import { expect, test } from "vitest";
import { eventDocument } from "./event-document.ts";

const DOCUMENT = "<!doctype html><html><head></head><body></body></html>";
const event = {
  id: "E1",
  title: "Night",
  startsAt: "2026-11-27T19:00:00Z",
  timeZone: "Europe/Berlin",
  location: "Hall",
  coverUrl: "/e/E1/cover/I1",
};
const make = (more: object = {}, address: string | undefined = "https://night.example.org") =>
  eventDocument(DOCUMENT, { event: { ...event, ...more }, community: "Open Stage", address });

test("carries title, time, place and picture for messengers", () => {
  const sent = make();
  expect(sent).toContain("<title>Night · Open Stage</title>");
  expect(sent).toContain('<meta property="og:image" content="https://night.example.org/e/E1/cover/I1">');
  expect(sent).toContain('<meta property="og:url" content="https://night.example.org/e/E1">');
  expect(sent).toMatch(/og:description" content="Friday,? 27 November 2026 at 20:00 \(Europe\/Berlin\) · Hall"/);
});

// Titles are typed by people: of any script, and of any characters.
test.each([
  ['"><script>alert(1)</script>', "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"],
  ["Rock & 'Roll'", "Rock &amp; &#39;Roll&#39;"],
  ["$& $1 </head>", "$&amp; $1 &lt;/head&gt;"],
  ["ליל מוזיקה 🎧 夜", "ליל מוזיקה 🎧 夜"],
])("escapes the title %s everywhere", (title, escaped) => {
  const sent = make({ title, location: title });
  expect(sent).toContain(`<title>${escaped} · Open Stage</title>`);
  expect(sent).toContain(`property="og:title" content="${escaped}"`);
  expect(sent.match(/<script/g)).toHaveLength(1);
  const json = /id="event">(.*?)<\/script>/s.exec(sent)?.[1] ?? "";
  expect(JSON.parse(json)).toMatchObject({ title });
});

test("names no event that is not open to everybody", () => {
  const sent = eventDocument(DOCUMENT, { event: undefined, community: "Open <Stage>", address: undefined });
  expect(sent).toContain('content="noindex, nofollow"');
  expect(sent).toContain("You are invited to an event of Open &lt;Stage&gt;.");
  expect(sent).not.toMatch(/og:url|og:image|id="event"/);
});
