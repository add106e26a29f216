import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";
import { startLiveServer } from "./live-server.ts";
import { folderUntil, openUntil } from "./open-until.ts";

const run = promisify(execFile);
/** Registry dependencies of the package; linked from here, so that the test needs no network. */
const WANTED = ["@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-web", "zod"];

/** Complete app that lists users and follows changes of its own user. */
const APP = `
import { connect } from "@followspot/contract/client";
import { CLOSE, songAnalysisSchema, type Envelope } from "@followspot/contract";
import { UserService, type User } from "@followspot/contract/user";

const [baseUrl = "", token = "", userId = ""] = process.argv.slice(2);
const app = connect({ baseUrl, token });
const { users } = await app.service(UserService).listUsers({});
const names: readonly string[] = users.map((user: User) => user.name);
console.log(names.join(), CLOSE.helloTimeout, songAnalysisSchema.safeParse({}).success);
const listening = app.listen([\`user.\${userId}\`], {
  onEnvelope: ({ type }: Envelope) => {
    console.log(type);
    listening.close();
  },
  onState: (state) => state === "live" && console.log(state),
});
`;

const folder = await folderUntil(afterAll);
const server = openUntil(afterAll, await startLiveServer());

test("the packed contract can be installed elsewhere, compiled against, and used with the server", async () => {
  const packed = await run("npm", ["run", "-s", "pack:contract", folder], { cwd: ROOT });
  const tarball = packed.stdout.trim();
  const [app, modules] = [join(folder, "app"), join(folder, "app/node_modules")];
  await mkdir(join(modules, "@followspot/contract"), { recursive: true });
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", join(modules, "@followspot/contract")]);
  const { dependencies } = JSON.parse(await readFile(join(modules, "@followspot/contract/package.json"), "utf8"));
  expect(Object.keys(dependencies)).toEqual(WANTED);
  for (const name of [...WANTED, "@types/node", "undici-types"]) {
    await mkdir(join(modules, name, ".."), { recursive: true });
    await symlink(join(ROOT, "node_modules", name), join(modules, name));
  }
  await writeFile(join(app, "package.json"), JSON.stringify({ type: "module" }));
  const compilerOptions = { module: "nodenext", target: "es2024", strict: true, types: ["node"], skipLibCheck: false };
  await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["app.ts"] }));
  await writeFile(join(app, "app.ts"), APP);
  await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", app]);

  const ada = await server.person("Ada", ["Admin"]);
  const running = run(process.execPath, ["app.js", server.base, ada.token, ada.id], { cwd: app });
  let printed = "";
  running.child.stdout!.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await expect.poll(() => printed).toContain("live");
  await server.call("user.v1.UserService/UpdateUser", { userId: ada.id, name: "Ada L." }, ada.token);
  await running;
  expect(printed.split("\n").slice(0, 3)).toEqual(["Ada 4408 false", "live", "user.updated"]);
});
