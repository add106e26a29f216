import { fork } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { issueToken } from "../../apps/server/src/auth/sessions.ts";
import { migrate, openDatabase } from "../../apps/server/src/platform/database.ts";
import { findNatsServer, startNats } from "../../apps/server/src/supervisor/nats.ts";
import { startPostgres } from "../../apps/server/src/supervisor/postgres.ts";
import { freePort, stopChild } from "../../apps/server/src/supervisor/processes.ts";
import { insertUser } from "../../apps/server/src/user/users.store.ts";
import { memoryOf } from "./cpu.ts";
const SECRET = "a secret of the bench, thirty-two bytes or more";
const folder = await mkdtemp(join(tmpdir(), "fsmem-"));
await chmod(folder, 0o755);
const pg = await startPostgres(folder, () => {});
const nats = await startNats(folder, await findNatsServer(undefined, () => {}), () => {});
const sql = openDatabase(pg.url, 2);
await migrate(sql);
await sql`insert into users (id, name, username, email, phone, purpose, bio, verified_at)
    select 'U' || lpad(i::text, 8, '0'), 'Person ' || i || 'x', 'user' || i, 'person' || i || '@example.org',
      '+49 30 ' || i, 'Dancing', 'Likes lights and music', case when i % 3 = 0 then now() end from generate_series(1, 10000) i`;
const admin = await insertUser(sql, { name: "Bench", roles: ["Admin"] });
const token = await issueToken(sql, new TextEncoder().encode(SECRET), admin.id, "bench");
for (const flags of process.argv.slice(2)) {
  const port = await freePort();
  const child = fork("apps/server/src/main-api.ts", { execArgv: flags.split(" ").filter((f) => f.startsWith("--")), env: { PATH: process.env.PATH, PORT: String(port), DATABASE_URL: pg.url, NATS_URL: nats.url, FOLLOWSPOT_SECRET: SECRET, FOLLOWSPOT_DATA_DIR: folder, ...(flags.includes("arena") && { MALLOC_ARENA_MAX: "2" }) }, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const call = async (path: string, body: object) => {
    const r = await fetch(`http://127.0.0.1:${port}/followspot.${path}`, { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${token}` }, body: JSON.stringify(body) });
    const t = await r.text();
    return [r.status, t.length];
  };
  for (let i = 0; i < 100; i++) { try { await call("auth.v1.AuthService/GetSession", {}); break; } catch { await new Promise((r) => setTimeout(r, 100)); } }
  const idle = memoryOf(child.pid!).now;
  for (const enc of ["identity", "gzip", "br"]) for (let i = 0; i < 3; i++) {
    const t = performance.now();
    const r = await fetch(`http://127.0.0.1:${port}/followspot.user.v1.UserService/ListUsers`, { method: "POST", headers: { "content-type": "application/json", "accept-encoding": enc, authorization: `Bearer ${token}` }, body: "{}" });
    const b = await r.text();
    console.log(enc, r.headers.get("content-encoding"), Math.round(performance.now() - t), b.length);
  }
  if (flags.includes("short")) { await stopChild(child, "SIGTERM", 5000); continue; }
  const times: number[] = [];
  const all: Promise<void>[] = [];
  for (let i = 0; i < 150; i++) {
    all.push((async () => { const t = performance.now(); const a = await call("user.v1.UserService/ListUsers", {}); if (a[0] !== 200) console.log(a); times.push(performance.now() - t); })());
    await new Promise((r) => setTimeout(r, 100));
  }
  await Promise.all(all);
  const whole = memoryOf(child.pid!);
  for (let i = 0; i < 3000; i++) await Promise.all(Array.from({ length: 8 }, () => call("user.v1.UserService/GetUser", { userId: "U00000001" })));
  times.sort((a, b) => a - b);
  console.log(flags, { idle, whole, p50: times[75], p95: times[142], after: memoryOf(child.pid!) });
  await stopChild(child, "SIGTERM", 5000);
}
await sql.end();
await Promise.all([pg.stop(), nats.stop()]);
await rm(folder, { recursive: true, force: true });
