/**
 * A night of two venues over nineteen hosts, which are network namespaces of this machine: two APIs behind a plain proxy, a
 * broker of three, a database with a standby, a store of songs, three workers, two boxes, one of them with a standby, and 300
 * guests. Then every part is killed in turn, every connection is cut in turn, and hosts go for good; what clients were answered with
 * yes is compared with what is there.
 *
 *   npm run bench:hosts                                  every fault, about half an hour; writes bench/hosts/figures.md
 *   npm run bench:hosts -- --only "database"             faults whose names hold this; several with commas between
 *   npm run bench:hosts -- --clients 100 --keep          fewer guests; the hosts' logs stay
 *
 * Ends with 1 when anything is lost or there twice, or a lamp was dark, and with 2 where it cannot run: it needs Linux, root
 * and `ip`. It uses no interface of the machine.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NAMES } from "./parts.ts";
import { lackOfNamespaces, openHosts, removeHosts } from "./topology.ts";

const lack = lackOfNamespaces();
if (lack !== undefined) {
  process.stderr.write(`${lack}\n`);
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "followspot-hosts-"));
// As root PostgreSQL runs as the user nobody, who must be able to get in.
await chmod(folder, 0o755);
const hosts = await openHosts(NAMES);
const words = [join(import.meta.dirname, "desk.ts"), ...process.argv.slice(2), folder];
const desk = hosts.spawn("desk", [process.execPath, ...process.execArgv, ...words], { stdio: "inherit" });
// Ctrl-C reaches the desk from the terminal as well; the hosts are removed in any case.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => desk.kill("SIGKILL"));
const code = await new Promise<number>((resolve) => desk.once("exit", (ended) => resolve(ended ?? 130)));
await removeHosts();
if (process.argv.includes("--keep")) process.stderr.write(`logs are in ${folder}\n`);
else await rm(folder, { recursive: true, force: true });
process.exit(code);
