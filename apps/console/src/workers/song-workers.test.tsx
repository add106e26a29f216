// @vitest-environment jsdom
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { QueuesService } from "@followspot/contract/queues";
import { describe, expect, it } from "vitest";
import { button, eventually, field, press, show, type } from "../testing/show.tsx";
import { SongWorkers } from "./song-workers.tsx";

const own = { id: "worker-7", isOwn: true, state: "waits", version: "1.4.0", cores: 2, songsDone: 3 };
const attic = { id: "w1", name: "Attic", state: "waits", version: "1.4.0", cores: 8 };
const aside = { ...attic, id: "w2", name: "Cellar", state: "aside", says: "It is set aside: it left no audio.mp3." };

async function section(workers: readonly object[] | (() => never)) {
  const sent: object[] = [];
  const place = await show(<SongWorkers />, {
    routes: ({ service }) =>
      service(QueuesService, {
        listWorkers: () => (typeof workers === "function" ? workers() : { workers: [...workers] }),
        addWorker: ({ name }) => {
          if (name === "Attic") throw new ConnectError("There is a worker called Attic already.", Code.AlreadyExists);
          sent.push({ name });
          return { worker: { ...attic, name }, token: "fsw_secret" };
        },
        renameWorker: ({ workerId, name }) => (sent.push({ workerId, name }), {}),
        revokeWorker: ({ workerId }) => (sent.push({ revoked: workerId }), {}),
        letWorkerWork: ({ workerId }) => (sent.push({ let: workerId }), {}),
      }),
  });
  await eventually(() => expect(place.textContent).not.toBe(""));
  return { place, sent };
}

describe("SongWorkers", () => {
  it("shows each worker's properties, and the progress of its songs", async () => {
    const tasks = [{ songId: "s1", title: "Blue Monday", step: "lighting", progress: 0.4, note: "planning the show" }];
    const { place } = await section([own, { ...attic, state: "works", tasks, steps: ["analysis", "lighting"] }]);
    const rows = [...place.querySelectorAll("li")].map(({ textContent }) => textContent);
    expect(rows[0]).toMatch(/This server.*Waits.*version 1\.4\.0.*2 cores.*3 songs today/);
    expect(rows[1]).toMatch(/Attic.*Works.*takes analysis, show only.*show of Blue Monday, planning the show/);
    expect(place.querySelector("[role=progressbar]")?.getAttribute("aria-valuenow")).toBe("40");
  });

  it("offers no actions for the server's own worker, and explains remote workers if there are none", async () => {
    const { place } = await section([own]);
    expect(place.textContent).toContain("Another machine can download, hear and plan songs for this server");
    expect([...place.querySelectorAll("button")].map(({ textContent }) => textContent?.trim())).toEqual([
      "Add a Worker",
    ]);
    expect((await section([own, attic])).place.textContent).not.toContain("Another machine can");
  });

  it("shows when an offline worker was last seen", async () => {
    const seenAt = timestampFromDate(new Date(Date.now() - 2 * 3_600_000 - 1000));
    const { place } = await section([{ ...attic, state: "away", seenAt }]);
    expect(place.textContent).toContain("Last seen 2 hours ago");
  });

  it("shows the command with the token only until the dialog is closed", async () => {
    const { sent } = await section([own]);
    await press("Add a Worker");
    await press("Add Worker");
    expect(document.body.textContent).toContain("Name is required");
    expect(sent).toEqual([]);
    await type(field("Name of its machine"), " Loft ");
    await press("Add Worker");
    await eventually(() => expect(field("Command").value).toBe(`npm run worker -- --server ${window.location.origin} --token fsw_secret`)); // prettier-ignore
    expect(sent).toEqual([{ name: "Loft" }]);
    await press("Done");
    expect(document.body.innerHTML).not.toContain("fsw_secret");
  });

  it("shows why a name is rejected", async () => {
    await section([own]);
    await press("Add a Worker");
    await type(field("Name of its machine"), "Attic");
    await press("Add Worker");
    await eventually(() => expect(document.body.textContent).toContain("There is a worker called Attic already."));
  });

  it("renames a worker, and revokes one after confirmation", async () => {
    const { sent } = await section([attic]);
    await press("Rename Attic");
    await type(field("Name of its machine"), "Loft");
    await press("Save Name");
    await eventually(() => expect(sent).toEqual([{ workerId: "w1", name: "Loft" }]));
    await eventually(() => expect(document.querySelector("[role=dialog]")).toBeNull());
    await press("Revoke Attic");
    expect(sent).toHaveLength(1);
    await press("Revoke Worker");
    await eventually(() => expect(sent.at(-1)).toEqual({ revoked: "w1" }));
  });

  it("shows why a worker is suspended, and resumes it", async () => {
    const { place, sent } = await section([attic, aside]);
    expect(place.textContent).toContain(aside.says);
    expect(() => button("Let Attic work again")).toThrow("there is no button");
    await press("Let Cellar work again");
    await eventually(() => expect(sent).toEqual([{ let: "w2" }]));
  });

  it("shows a load error, and nothing to users without permission", async () => {
    const refuse = (code: Code) => () => {
      throw new ConnectError("The database does not answer", code);
    };
    const { place } = await section(refuse(Code.Unavailable));
    await eventually(() => expect(place.textContent).toContain("Who works on songs could not be read."));
    const denied = await show(<SongWorkers />, {
      routes: ({ service }) => service(QueuesService, { listWorkers: refuse(Code.PermissionDenied) }),
    });
    expect(denied.textContent).toBe("");
  });
});
