import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { isRunning } from "../../testing/is-running.ts";
import { commandLine, freePort, isAlive, stopChild, stopPid } from "./processes.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Starts a Node process that runs until it is ended, and waits until it is ready. */
async function run(script = ""): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", `${script}; setInterval(() => {}, 1000); console.log("ready")`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await new Promise<void>((resolve) => child.stdout!.once("data", () => resolve()));
  return child;
}

test("a child that ends on its signal is not killed", async () => {
  const child = await run('process.on("SIGTERM", () => process.exit(7))');
  await stopChild(child, "SIGTERM", 10_000);
  expect([child.exitCode, child.signalCode]).toEqual([7, null]);
});

test("a child that ignores its signal is killed after its grace period", async () => {
  const child = await run('process.on("SIGTERM", () => {})');
  await stopChild(child, "SIGTERM", 100);
  expect(child.signalCode).toBe("SIGKILL");
});

test("a child that has already ended is not waited for", async () => {
  const child = await run();
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
  await stopChild(child, "SIGTERM", 10_000);
  expect(child.signalCode).toBe("SIGKILL");
});

test("another process is ended by its PID, with SIGKILL if necessary", async () => {
  const child = await run('process.on("SIGTERM", () => {})');
  await stopPid(child.pid!, "SIGTERM", 100);
  expect(await isRunning(child.pid!)).toBe(false);
  await stopPid(child.pid!, "SIGTERM", 100); // it has ended: nothing to do
});

test("reports whether a process is alive, and its command line", async () => {
  const child = await run("globalThis.mark = 'a mark to be found'");
  expect([isAlive(child.pid!), await commandLine(child.pid!)]).toEqual([
    true,
    expect.stringContaining("a mark to be found"),
  ]);
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
  expect([isAlive(child.pid!), await commandLine(child.pid!)]).toEqual([false, ""]);
});

// kept: Live | A process found its port in use: the system had assigned it to another program before it was opened |
// failed on the old code
test("finds free ports outside the system's ephemeral range", async () => {
  const range = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8").catch(() => "32768"); // Linux only
  for (let i = 0; i < 20; i++) {
    const port = await freePort();
    expect(port).toBeLessThan(Math.max(Number.parseInt(range, 10), 32_000)); // some machines use nearly all ports as ephemeral
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
    await new Promise((resolve) => server.close(resolve));
  }
});
