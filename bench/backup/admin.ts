import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT, type Product } from "../../e2e/testing/product.ts";

/** One that takes longer has not ended. */
const LONGEST_MS = 15 * 60_000;

/** A verb of `npm run admin` beside a running product; one that does not end well says why. */
export async function admin(product: Product, ...args: string[]): Promise<{ hasEnded: boolean; seconds: number }> {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(ROOT, "apps/server/dist/admin.js"), ...args], {
    env: { ...process.env, DATABASE_URL: "", NATS_URL: "", FOLLOWSPOT_DATA_DIR: product.dataDir },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const end = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
  const code = await new Promise((ended) => child.once("close", ended));
  clearTimeout(end);
  if (code !== 0) process.stdout.write(`${said.split("\n").slice(-4).join("\n")}\n`);
  return { hasEnded: code === 0, seconds: (performance.now() - begun) / 1000 };
}
