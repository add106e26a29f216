import { access } from "node:fs/promises";
import { chromium, type Browser } from "playwright-core";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Chromium of the machine, else the headless build that comes with the npm package. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--autoplay-policy=no-user-gesture-required",
    ...more,
  ];
  for (const executablePath of [process.env.FOLLOWSPOT_CHROMIUM, ...INSTALLED]) {
    if (executablePath && (await exists(executablePath))) return chromium.launch({ executablePath, args });
  }
  const { default: packaged } = await import("@sparticuz/chromium");
  return chromium.launch({ executablePath: await packaged.executablePath(), args: [...packaged.args, ...args] });
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
