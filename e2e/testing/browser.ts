import { access } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Browser } from "playwright-core";
import { packagedChromium } from "../../apps/server/src/film/packaged-chromium.ts";

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
    if (executablePath && (await exists(executablePath)))
      return closingSoon(await chromium.launch({ executablePath, args }));
  }
  const { path: executablePath, args: packaged } = await packagedChromium();
  // The package would let a page read what other origins answer: no browser of a person does.
  const usual = packaged.filter((arg) => arg !== "--disable-web-security");
  return closingSoon(await chromium.launch({ executablePath, args: [...usual, ...args] }));
}

/** Where a microphone was open Chromium takes half a minute to close. A test waits for that no longer than this, ms. */
const CLOSING_MS = 3000;

function closingSoon(browser: Browser): Browser {
  const close = browser.close.bind(browser);
  // What is left of it then ends with the process that started it.
  browser.close = () => Promise.race([close(), sleep(CLOSING_MS, undefined, { ref: false })]);
  return browser;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
