// @vitest-environment jsdom
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { QueuesService, type ListMessagesRequest } from "@followspot/contract/queues";
import { act, useState } from "react";
import { expect, test, vi } from "vitest";
import { eventually, field, press, show, type } from "../testing/show.tsx";
import { MessageBrowser } from "./message-browser.tsx";
import type { PageFrom } from "./messages.queries.ts";

const at = timestampFromDate(new Date("2026-11-25T17:30:00Z"));
const line = (sequence: number) => ({ sequence: BigInt(sequence), subject: "events.song.updated", at, bytes: 14 });

/** Holds the position as the page does, which stores it in the URL. */
function Browser() {
  const [at, setAt] = useState<{ readonly from?: PageFrom | undefined; readonly subject: string }>({ subject: "" });
  const go = (from: PageFrom | undefined, subject: string) => setAt({ from, subject });
  return <MessageBrowser stream="EVENTS" subject={at.subject} from={at.from} onGo={go} onClose={() => {}} />;
}

async function browser(body = '{\n  "id": "s1"\n}') {
  const asked: ListMessagesRequest[] = [];
  const place = await show(<Browser />, {
    routes: ({ service }) =>
      service(QueuesService, {
        listMessages: (request) => {
          asked.push(request);
          const isLast = request.from.case === "before";
          return {
            messages: isLast ? [line(2), line(1)] : [{ ...line(9), preview: '{"id":"s1"}' }, line(8)],
            olderBefore: isLast ? 0n : 8n,
            firstSequence: 1n,
            lastSequence: 9n,
          };
        },
        getMessage: ({ sequence }) => ({
          message: {
            ...line(Number(sequence)),
            kind: "json",
            body,
            headers: [{ name: "X-From", value: "a test" }],
            isCut: body.length > 99,
          },
        }),
      }),
  });
  await eventually(() => expect(document.body.textContent).toContain("Numbers 1 to 9"));
  return { place, asked, last: () => asked.at(-1)! };
}

const rows = () => [...document.querySelectorAll<HTMLButtonElement>("li > button")];

test("shows the newest messages with a preview, and pages to older ones", async () => {
  const { last } = await browser();
  expect(rows()[0]?.textContent).toContain("9events.song.updated14.00 B");
  expect(rows()[0]?.textContent).toContain('{"id":"s1"}');
  await press("Older");
  await eventually(() => expect(rows()[0]?.textContent).toMatch(/^2events/));
  expect(last().from).toEqual({ case: "before", value: 8n });
});

test("opens a message with headers and body, and copies it", async () => {
  const written = vi.fn(async () => {});
  vi.stubGlobal("navigator", { clipboard: { writeText: written } });
  await browser();
  await act(async () => rows()[0]?.click());
  await eventually(() => expect(document.querySelector("pre")?.textContent).toBe('{\n  "id": "s1"\n}'));
  expect(document.body.textContent).toContain("X-From: a test");
  await press("Copy");
  expect(written).toHaveBeenCalledWith('{\n  "id": "s1"\n}');
});

test("shows that a body was truncated, and explains the placeholder for secrets", async () => {
  await browser(`******${"a".repeat(100)}`);
  await act(async () => rows()[0]?.click());
  await eventually(() => expect(document.body.textContent).toContain("Only the first 64 KB are shown."));
  expect(document.body.textContent).toContain("it never leaves the server");
});

test("jumps to a sequence number, else to a time, and filters by subject", async () => {
  const { last } = await browser();
  await type(field("Time"), "2026-11-25T18:00:05");
  await press("Jump");
  await eventually(() =>
    expect(last().from).toEqual({ case: "until", value: timestampFromDate(new Date("2026-11-25T18:00:05")) }),
  );
  await type(field("Number"), "5");
  await type(field("Subject"), " events.song.> ");
  await press("Jump");
  await eventually(() => expect(last().from).toEqual({ case: "before", value: 6n }));
  expect(last().subject).toBe("events.song.>");
  await press("Oldest");
  await eventually(() => expect(last().from).toEqual({ case: "after", value: 0n }));
});

test("follows the newest messages until another page is opened, and searches within the page", async () => {
  const { asked } = await browser();
  await press("Follow");
  const before = asked.length;
  await eventually(() => expect(asked.length).toBeGreaterThan(before));
  await press("Older");
  expect(document.querySelector("[aria-pressed=true]")).toBeNull();
  await press("Newest");
  await eventually(() => expect(rows()).toHaveLength(2));
  await type(field("Find on this page"), "S1");
  await eventually(() => expect(rows()).toHaveLength(1));
  expect(document.body.textContent).toContain("1 of 2 hold it");
});
