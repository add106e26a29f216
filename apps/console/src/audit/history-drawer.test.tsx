// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { AuditEntrySchema, AuditService, type ListAuditEntriesRequest } from "@followspot/contract/audit";
import { expect, test } from "vitest";
import { button, eventually, press, show } from "../testing/show.tsx";
import { HistoryDrawer } from "./history-drawer.tsx";

const PAGE = 50;
const entries = Array.from({ length: 60 }, (_, index) =>
  create(AuditEntrySchema, {
    id: BigInt(60 - index),
    at: timestampFromMs(Date.now()),
    userId: "ada",
    userName: index === 0 ? "" : "Ada",
    action: "talk.updated",
    target: "talk T",
    changes: [{ field: "title", before: `"Title ${59 - index}"`, after: `"Title ${60 - index}"` }],
  }),
);

async function open(answer: (request: ListAuditEntriesRequest) => { from: number; entries: typeof entries }) {
  const asked: ListAuditEntriesRequest[] = [];
  await show(<HistoryDrawer target="talk T" name="Night talk" onClose={() => undefined} />, {
    routes: (router) =>
      router.service(AuditService, {
        listAuditEntries: (request) => {
          asked.push(request);
          const { from, entries: all } = answer(request);
          const rows = all.slice(from, from + PAGE);
          return { entries: rows, nextPageToken: from + PAGE < all.length ? String(from + PAGE) : "" };
        },
      }),
  });
  return asked;
}

const text = () => document.body.textContent ?? "";

test("tells who changed a thing, what it was and what it became, older changes on request", async () => {
  const asked = await open(({ list }) => ({ from: Number(list?.pageToken || 0), entries }));
  await eventually(() => expect(text()).toContain("Title 59  Title 60"));
  expect(text()).toContain("History of Night talk");
  expect(text()).toContain("Updated talk · A purged person");
  expect(text()).toContain("Updated talk · Ada");
  await press("Show older");
  await eventually(() => expect(document.querySelectorAll("li")).toHaveLength(60));
  expect(asked.every(({ target }) => target === "talk T")).toBe(true);
  expect(() => button("Show older")).toThrow("there is no button");
});

test("says that nothing was changed yet", async () => {
  await open(() => ({ from: 0, entries: [] }));
  await eventually(() => expect(text()).toContain("Nothing has been changed yet."));
});

test("says why it cannot be shown", async () => {
  await open(() => {
    throw new ConnectError("You may not do this", Code.PermissionDenied);
  });
  await eventually(() => expect(text()).toContain("You may not see this."));
});
