import { spawn, type ChildProcess } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { isRunning } from "../../testing/is-running.ts";
import { keepPart, keepService, stopAll, type Running, type Service, type ServiceQuestion } from "./keep-running.ts";
import { processorTicks } from "./processor-time.ts";
import { stopChild } from "./processes.ts";
import { folderUntil } from "../../testing/open-until.ts";

const SLEEPER = "setInterval(() => {}, 1000)";
const children: ChildProcess[] = [];
const kept: Running[] = [];
let folder: string;
beforeEach(async () => {
  folder = await folderUntil(onTestFinished);
});
afterEach(async () => {
  for (const running of kept.splice(0)) await running.stop();
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUp = performance.now() + 10_000; !(await isTrue()); await sleep(10)) {
    if (performance.now() > giveUp) throw new Error("this did not happen within 10 s");
  }
}

/** A service that is a sleeping process; each start is recorded with the requested address. */
function sleeperService(before: (attempt: number) => Promise<void> = async () => {}) {
  const asked: (string | undefined)[] = [];
  const started: ChildProcess[] = [];
  const start = async (previousUrl?: string): Promise<Service> => {
    asked.push(previousUrl);
    await before(asked.length);
    const child = spawn(process.execPath, ["-e", SLEEPER], { stdio: "ignore" });
    children.push(child);
    started.push(child);
    return { url: previousUrl ?? `service://${child.pid}`, child, stop: () => stopChild(child, "SIGTERM", 5000) };
  };
  return { asked, started, start };
}

function keep(start: (previousUrl?: string) => Promise<Service>, question?: ServiceQuestion) {
  const warnings: string[] = [];
  const service = keepService("database", start, {
    warn: (line) => warnings.push(line),
    retryMs: 20,
    ...(question && { question }),
  });
  kept.push(service);
  return { ...service, warnings };
}

test("a service that exits is restarted at the same address", async () => {
  const { asked, started, start } = sleeperService();
  const { url, warnings } = keep(start);
  const address = await url;
  started[0]!.kill("SIGKILL");
  await until(() => started.length === 2);
  expect(asked).toEqual([undefined, address]);
  expect(warnings).toEqual(["The database ended (SIGKILL); starting it again."]);
});

test("a service whose restart fails is retried until it succeeds", async () => {
  const { started, start } = sleeperService(async (attempt) => {
    if (attempt === 2) throw new Error("no room");
  });
  const { url, warnings } = keep(start);
  await url;
  started[0]!.kill("SIGKILL");
  await until(() => started.length === 2);
  expect(warnings).toContain("The database does not start: no room");
});

// kept: Doors | A database outage of one minute ended the whole product and the show | failed on the old code
test("a service that fails for long is retried indefinitely, and the reason is logged once", async () => {
  const { asked, started, start } = sleeperService(async (attempt) => {
    if (attempt > 1 && attempt < 8) throw new Error("no space left on the disk");
  });
  const { url, warnings } = keep(start);
  await url;
  started[0]!.kill("SIGKILL");
  await until(() => started.length === 2);
  expect(asked).toHaveLength(8);
  expect(warnings.filter((line) => line.includes("no space left on the disk"))).toHaveLength(1);
});

// kept: Doors | NATS stayed unusable after it had disabled JetStream on a full disk | failed on the old code
test("a service that runs but does not answer is killed and restarted", async () => {
  const { started, start } = sleeperService();
  const ask = () => (started.length > 1 ? Promise.resolve() : Promise.reject(new Error("JetStream is switched off")));
  const { url, warnings } = keep(start, { ask, silenceMs: 100, everyMs: 20 });
  await url;
  await until(() => started.length === 2);
  expect(warnings[0]).toBe("The database does not answer (JetStream is switched off); it is ended and started again.");
  expect(await isRunning(started[0]!.pid!)).toBe(false);
  await sleep(300);
  expect(started).toHaveLength(2);
});

// kept: Doors | NATS that was restarted on a full disk never stored anything again | also
test("a service with a full disk is not restarted in vain, and restarted at once when there is room", async () => {
  const { started, start } = sleeperService();
  const ask = () => (started.length > 1 ? Promise.resolve() : Promise.reject(new Error("JetStream is switched off")));
  let hasRoom = false;
  const question = { ask, silenceMs: 100, everyMs: 20, wouldHelp: async () => hasRoom };
  const { url, warnings } = keep(start, question);
  await url;
  await until(() => warnings.length > 0);
  await sleep(300);
  const full = "The database does not answer (JetStream is switched off), and its disk is full. Free some space.";
  expect([started.length, warnings]).toEqual([1, [full]]);
  hasRoom = true;
  await until(() => started.length === 2);
});

test("a stop during the start of a service leaves no process", async () => {
  let go = () => {};
  const { started, start } = sleeperService(() => new Promise((resolve) => (go = resolve)));
  const service = keep(start);
  const stopped = service.stop();
  go();
  await stopped;
  expect(started).toHaveLength(1);
  expect(await isRunning(started[0]!.pid!)).toBe(false);
});

test("a service that cannot start reports the reason and needs no stop", async () => {
  const service = keep(() => Promise.reject(new Error("no such program")));
  await expect(service.url).rejects.toThrow("no such program");
  await service.stop();
});

test("a process that dies is restarted, and not any more once it is stopped", async () => {
  const file = join(folder, "part.mjs");
  const log = join(folder, "starts");
  await writeFile(
    file,
    `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(log)}, process.pid + " "); ${SLEEPER};`,
  );
  const starts = async () => (await readFile(log, "utf8").catch(() => "")).split(" ").filter(Boolean).map(Number);
  const warnings: string[] = [];
  const part = keepPart("main-api", file, { PATH: process.env.PATH }, (line) => warnings.push(line));
  kept.push(part);
  await until(async () => (await starts()).length === 1);
  expect(part.hasDied()).toBe(false);
  process.kill((await starts())[0]!, "SIGKILL");
  await until(async () => (await starts()).length === 2);
  expect([part.hasDied(), warnings]).toEqual([true, ["main-api ended (SIGKILL); starting it again."]]);
  await part.stop();
  expect(await Promise.all((await starts()).map(isRunning))).toEqual([false, false]);
});

// kept: Doors | After the clock was set back an hour, crashed processes were restarted an hour late | failed on the old
// code
test("a process and a service that die after the clock was set back an hour are restarted at once", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const file = join(folder, "part.mjs");
    const log = join(folder, "part.log");
    const note = `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(log)}, process.pid + "\\n");`;
    await writeFile(file, `${note} ${SLEEPER}`);
    const ids = async () => (await readFile(log, "utf8").catch(() => "")).split("\n").filter(Boolean).map(Number);
    kept.push(keepPart("main-worker", file, { PATH: process.env.PATH }, () => {}));
    const { started, start } = sleeperService(async (attempt) => {
      if (attempt !== 2) return;
      vi.setSystemTime(Date.now() - 3_600_000);
      throw new Error("no room");
    });
    await keep(start).url;
    await until(async () => (await ids()).length === 1);
    started[0]!.kill("SIGKILL");
    await until(() => started.length === 2);
    process.kill((await ids())[0]!, "SIGKILL");
    await until(async () => (await ids()).length === 2);
  } finally {
    vi.useRealTimers();
  }
});

test("a spare replaces a process that dies, and another spare is started", async () => {
  const file = join(folder, "part.mjs");
  const log = join(folder, "starts");
  await writeFile(
    file,
    `import { appendFileSync } from "node:fs";
     import { once } from "node:events";
     const note = (what) => appendFileSync(${JSON.stringify(log)}, what + " " + process.pid + "\\n");
     const isSpare = process.env.FOLLOWSPOT_SPARE === "1";
     if (isSpare) { note("stands-by"); process.once("disconnect", () => process.exit()); await once(process, "message"); }
     note("runs"); ${SLEEPER};`,
  );
  const lines = async () => (await readFile(log, "utf8").catch(() => "")).split("\n").filter(Boolean);
  const part = keepPart("main-stage", file, { PATH: process.env.PATH }, () => undefined, { spareAfterMs: 100 });
  kept.push(part);
  await until(async () => (await lines()).length === 2);
  // Two processes start at almost the same time: either may write its line first.
  const pidOf = (written: readonly string[], what: string) =>
    written.find((line) => line.startsWith(`${what} `))!.split(" ")[1]!;
  const first = await lines();
  const standsBy = pidOf(first, "stands-by");
  process.kill(Number(pidOf(first, "runs")), "SIGKILL");
  await until(async () => (await lines()).length === 4);
  const later = (await lines()).slice(2);
  expect(pidOf(later, "runs")).toBe(standsBy);
  const next = pidOf(later, "stands-by");
  await part.stop();
  for (const pid of [standsBy, next]) await until(async () => !(await isRunning(Number(pid))));
});

/** A process that sends heartbeats, records its starts, and may be a spare. */
async function beatingPart() {
  const [file, log] = [join(folder, "part.mjs"), join(folder, "starts")];
  await writeFile(
    file,
    `import { appendFileSync } from "node:fs";
     import { once } from "node:events";
     import { beatToParent } from ${JSON.stringify(join(import.meta.dirname, "../../platform/process/beat.ts"))};
     const note = (what) => appendFileSync(${JSON.stringify(log)}, what + " " + process.pid + "\\n");
     beatToParent();
     if (process.env.FOLLOWSPOT_SPARE === "1") {
       note("stands-by");
       process.once("disconnect", () => process.exit());
       await once(process, "message");
     }
     note("runs"); ${SLEEPER};`,
  );
  const pids = async (what: string) => {
    const lines = (await readFile(log, "utf8").catch(() => "")).split("\n");
    return lines.flatMap((line) => (line.startsWith(`${what} `) ? [Number(line.split(" ")[1])] : []));
  };
  return { file, runs: () => pids("runs"), standsBy: () => pids("stands-by") };
}

// kept: Doors | A stage, API or worker that hung was never restarted, even with a spare running | failed on the old
// code
test("a process that hangs is killed, and its spare replaces it at once", async () => {
  const { file, runs, standsBy } = await beatingPart();
  const warnings: string[] = [];
  const more = { spareAfterMs: 100, silenceMs: 1500 };
  const part = keepPart("main-stage", file, { PATH: process.env.PATH }, (line) => warnings.push(line), more);
  kept.push(part);
  await until(async () => (await standsBy()).length === 1);
  await until(async () => (await runs()).length === 1);
  const [hung] = await runs();
  await sleep(1000); // both have sent heartbeats
  process.kill(hung!, "SIGSTOP");
  await until(async () => (await runs()).length === 2);
  expect((await runs())[1]).toBe((await standsBy())[0]);
  expect(await isRunning(hung!)).toBe(false);
  expect(warnings[0]).toBe("main-stage does not answer; it is ended.");
});

// kept: Doors | A stage, API or worker that hung was never restarted, even with a spare running | also
test("a spare that hangs is killed, and another spare is started", async () => {
  const { file, runs, standsBy } = await beatingPart();
  const part = keepPart("main-stage", file, { PATH: process.env.PATH }, () => undefined, {
    spareAfterMs: 100,
    silenceMs: 1500,
  });
  kept.push(part);
  await until(async () => (await standsBy()).length === 1);
  await sleep(1000);
  process.kill((await standsBy())[0]!, "SIGSTOP");
  await until(async () => (await standsBy()).length === 2);
  expect(await runs()).toHaveLength(1);
});

// kept: Doors | A stage, API or worker that hung was never restarted, even with a spare running | also
test("a spare that hangs while it loads is not waited for when the process dies", async () => {
  const { file, runs } = await beatingPart();
  const hanging = join(folder, "hanging.mjs");
  const started = join(folder, "spares");
  await writeFile(
    hanging,
    `import { appendFileSync } from "node:fs";
     if (process.env.FOLLOWSPOT_SPARE === "1") {
       appendFileSync(${JSON.stringify(started)}, process.pid + "\\n");
       ${SLEEPER};
     } else await import(${JSON.stringify(file)});`,
  );
  const options = { spareAfterMs: 100, silenceMs: 1500 };
  kept.push(keepPart("main-stage", hanging, { PATH: process.env.PATH }, () => undefined, options));
  const spares = async () => (await readFile(started, "utf8").catch(() => "")).split("\n").filter(Boolean).map(Number);
  await until(async () => (await spares()).length === 1 && (await runs()).length === 1);
  process.kill((await runs())[0]!, "SIGKILL");
  await until(async () => (await runs()).length === 2);
  await until(async () => !(await isRunning((await spares())[0]!)));
  await until(async () => (await spares()).length === 2);
});

test("a process with heartbeats is not killed after its silence limit", async () => {
  const { file, runs } = await beatingPart();
  const part = keepPart("main-api", file, { PATH: process.env.PATH }, () => undefined, { silenceMs: 1500 });
  kept.push(part);
  await until(async () => (await runs()).length === 1);
  await sleep(4000);
  expect([await runs(), part.hasDied()]).toEqual([await runs(), false]);
  expect(await runs()).toHaveLength(1);
});

/** A process that works without a heartbeat until a file exists, like one that loads on a slow machine. */
async function loadingPart() {
  const [file, log, go] = [join(folder, "loading.mjs"), join(folder, "loads"), join(folder, "go")];
  await writeFile(
    file,
    `import { appendFileSync, existsSync } from "node:fs";
     import { beatToParent } from ${JSON.stringify(join(import.meta.dirname, "../../platform/process/beat.ts"))};
     appendFileSync(${JSON.stringify(log)}, process.pid + "\\n");
     while (!existsSync(${JSON.stringify(go)}));
     beatToParent(); ${SLEEPER};`,
  );
  const pids = async () => (await readFile(log, "utf8").catch(() => "")).split("\n").filter(Boolean).map(Number);
  return { file, pids, finishLoading: () => writeFile(go, "") };
}

// kept: Live | On a slow machine the start gave up after 30 s and stopped everything without a reason | also
test("a process that loads for longer than its silence limit is not killed, and one that stops working is", async () => {
  const { file, pids, finishLoading } = await loadingPart();
  const warnings: string[] = [];
  const loadingSilenceMs = 1500;
  const more = { silenceMs: loadingSilenceMs, loadingSilenceMs };
  const part = keepPart("main-api", file, { PATH: process.env.PATH }, (line) => warnings.push(line), more);
  kept.push(part);
  await until(async () => (await pids()).length === 1);
  const since = performance.now();
  await until(() => performance.now() - since > 2 * loadingSilenceMs);
  expect([part.hasDied(), warnings]).toEqual([false, []]);
  process.kill((await pids())[0]!, "SIGSTOP");
  await until(async () => (await pids()).length === 2);
  expect(warnings[0]).toBe("main-api does not answer; it is ended.");
  await finishLoading();
});

// kept: Doors | A stage that was stopped sent no packet for five seconds | failed on the old code
test("a stopped process is replaced long before its silence limit, and one that works without a heartbeat is not", async () => {
  const { file, runs } = await beatingPart();
  const limits = { silenceMs: 60_000, blockedMs: 500 };
  kept.push(keepPart("main-stage", file, { PATH: process.env.PATH }, () => undefined, limits));
  await until(async () => (await runs()).length === 1);
  await sleep(1000); // it has sent heartbeats
  process.kill((await runs())[0]!, "SIGSTOP");
  await until(async () => (await runs()).length === 2);

  const busy = join(folder, "busy.mjs");
  const beat = JSON.stringify(join(import.meta.dirname, "../../platform/process/beat.ts"));
  await writeFile(
    busy,
    `import { appendFileSync } from "node:fs";
     import { beatToParent } from ${beat};
     beatToParent();
     setTimeout(() => { appendFileSync(${JSON.stringify(join(folder, "busy"))}, String(process.pid)); for (;;); }, 1000);`,
  );
  const part = keepPart("main-stage", busy, { PATH: process.env.PATH }, () => undefined, limits);
  kept.push(part);
  const pid = async () => Number(await readFile(join(folder, "busy"), "utf8").catch(() => "0"));
  await until(async () => (await pid()) > 0);
  const before = await processorTicks(await pid());
  await until(async () => (await processorTicks(await pid())) > before + 100);
  expect(part.hasDied()).toBe(false);
});

test("everything is stopped in reverse order, even after a failure", async () => {
  const stopped: string[] = [];
  const part = (name: string, isFailing = false): Running => ({
    name,
    stop: async () => {
      stopped.push(name);
      if (isFailing) throw new Error("it does not want to");
    },
  });
  expect(await stopAll([part("database"), part("api", true), part("stage")], 5000)).toBeUndefined();
  expect(stopped).toEqual(["stage", "api", "database"]);
});

test("a process that does not end in time is named", async () => {
  const stuck: Running = { name: "worker", stop: () => new Promise(() => {}) };
  expect(await stopAll([stuck], 50)).toBe("worker");
});
