import { execFileSync, spawnSync } from "node:child_process";

const MARK = "BENCH_OWN_NETWORK";

/**
 * Runs this program once more on a network of its own, which has a loopback and nothing else, and ends with its exit code.
 * There a route can be taken away for real. Needs Linux with `unshare` and `ip`, as root or where users may have namespaces.
 * @returns whether it runs on a network of its own; false where the machine gives none
 */
export function onOwnNetwork(): boolean {
  if (process.env[MARK]) return true;
  const asRoot = process.getuid?.() === 0;
  const unshare = [...(asRoot ? [] : ["--map-current-user", "--keep-caps"]), "--net", "--"];
  const upThen = (command: readonly string[]) => [
    ...unshare,
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
    ...command,
  ];
  if (spawnSync("unshare", upThen(["true"])).status !== 0) return false;
  const { status } = spawnSync("unshare", upThen([process.execPath, ...process.execArgv, ...process.argv.slice(1)]), {
    stdio: "inherit",
    env: { ...process.env, [MARK]: "1" },
  });
  process.exit(status ?? 1);
}

/** Takes the way to an address of loopback away: the kernel answers ENETUNREACH. @throws Error outside a network of its own */
export function takeRoute(address: string): void {
  changeRoute("add", address);
}

/** Gives it back. */
export function giveRoute(address: string): void {
  changeRoute("del", address);
}

function changeRoute(verb: "add" | "del", address: string): void {
  if (!process.env[MARK]) throw new Error("routes of this machine are not changed");
  execFileSync("ip", ["route", verb, "throw", `${address}/32`, "table", "local"]);
}
