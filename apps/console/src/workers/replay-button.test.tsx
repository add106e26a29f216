// @vitest-environment jsdom
import { Code, ConnectError } from "@connectrpc/connect";
import { QueuesService, type ReplayMessageRequest } from "@followspot/contract/queues";
import { act } from "react";
import { expect, test } from "vitest";
import { eventually, press, show } from "../testing/show.tsx";
import { ReplayButton } from "./replay-button.tsx";

async function editor(message: object = {}, { refuse = false, stream = "SONGS" } = {}) {
  const sent: ReplayMessageRequest[] = [];
  const stored = { sequence: 12n, subject: "songs.download", kind: "json", body: '{\n  "job_id": "j1"\n}', ...message };
  await show(<ReplayButton stream={stream} sequence={12n} />, {
    routes: ({ service }) =>
      service(QueuesService, {
        getMessage: () => ({ message: stored }),
        replayMessage: (request) => {
          sent.push(request);
          if (refuse) throw new ConnectError("body: job_id: is missing", Code.InvalidArgument);
          return { subject: "songs.download" };
        },
      }),
  });
  await press(`Edit and replay message 12 of ${stream}`);
  await eventually(() => expect(document.body.textContent).not.toContain("Loading"));
  return sent;
}

const area = () => document.querySelector("textarea")!;
const write = (value: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(area(), value);
    area().dispatchEvent(new Event("input", { bubbles: true }));
  });

test("sends the edited message with an idempotency key, and closes", async () => {
  const sent = await editor();
  await write('{"job_id": "j2"}');
  await press("Replay");
  await eventually(() => expect(document.querySelector("textarea")).toBeNull());
  expect(sent).toMatchObject([{ stream: "SONGS", sequence: 12n, body: '{"job_id": "j2"}' }]);
  expect(sent[0]?.replayId).toMatch(/^[0-9a-f]{32}$/);
});

test("invalid JSON shows line and column and blocks sending until corrected", async () => {
  const sent = await editor();
  await write('{\n  "job_id": j2\n}');
  await press("Replay");
  const said = () => document.querySelector("form [role=alert]")?.textContent;
  expect(said()).toBe("Line 2, column 13: a value is expected.");
  expect([sent.length, area().getAttribute("aria-invalid")]).toEqual([0, "true"]);
  // The cursor is at the position of the error.
  expect([document.activeElement, area().selectionStart]).toEqual([area(), 14]);
  await write('{\n  "job_id": "j2"\n}');
  expect(said()).toBeUndefined();
});

// kept: Console | Invalid JSON of a job was reported only after sending | failed on the old code
test("invalid JSON shows line and column as soon as typing pauses", async () => {
  await editor();
  await write('{\n  "job_id": j2\n}');
  const said = () => document.querySelector("form [role=alert]")?.textContent;
  expect(said()).toBeUndefined();
  await eventually(() => expect(said()).toBe("Line 2, column 13: a value is expected."));
});

test("a rejection preserves the input, and a retry uses the same key", async () => {
  const sent = await editor({}, { refuse: true });
  await write("{}");
  await press("Replay");
  await eventually(() => expect(document.body.textContent).toContain("job_id: is missing"));
  await press("Replay");
  await eventually(() => expect(sent).toHaveLength(2));
  expect([area().value, sent[1]?.replayId]).toEqual(["{}", sent[0]?.replayId]);
});

test("explains why a message cannot be edited", async () => {
  await editor({ kind: "text", body: "plain" });
  expect(document.querySelector("[role=dialog]")?.textContent).toContain("Only messages that are JSON");
});

// kept: Console | Edit and replay on a failure wrote a failure that never happened, and started nothing | failed on the
// old code
test("the editor of a failure contains its job, and sending it restarts the song", async () => {
  const job = '{\n  "song_id": "s1",\n  "step": "download",\n  "url": "https://youtu.be/a"\n}';
  const sent = await editor(
    { subject: "failures.songs.download", body: '{"reason":"no sound"}', job },
    { stream: "FAILURES" },
  );
  expect(area().value).toBe(job);
  await write(job.replace("youtu.be/a", "youtu.be/b"));
  await press("Replay");
  await eventually(() => expect(document.querySelector("textarea")).toBeNull());
  expect(sent[0]?.body).toContain("youtu.be/b");
  expect(document.body.textContent).not.toContain("Sent to failures");
});

test("a failure without an existing song cannot be edited", async () => {
  await editor({ subject: "failures.stems", body: '{"reason":"no sound"}' }, { stream: "FAILURES" });
  expect(document.querySelector("[role=dialog]")?.textContent).toContain("names no song that could be started again");
});
