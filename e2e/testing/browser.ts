import { access } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Browser, type BrowserServer } from "playwright-core";
import { packagedChromium } from "../../apps/server/src/songs/film/packaged-chromium.ts";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--autoplay-policy=no-user-gesture-required",
];

/**
 * Arguments of the packaged Chromium that are left out. In a single process, contexts share their storage and the
 * browser ends with the first closed context; without web security, a page reads responses of other origins.
 */
const UNWANTED = ["--single-process", "--no-zygote", "--disable-web-security"];

/** Opens the Chromium of the machine, or the headless build of the npm package. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return patient(closingSoon(await chromium.launch(await chromiumWith(more))));
}

/** Starts the same for several processes to connect to. */
export async function launchBrowser(): Promise<BrowserServer> {
  return chromium.launchServer(await chromiumWith([]));
}

async function chromiumWith(more: readonly string[]): Promise<{ executablePath: string; args: string[] }> {
  for (const executablePath of [process.env.FOLLOWSPOT_CHROMIUM, ...INSTALLED]) {
    if (executablePath && (await exists(executablePath))) return { executablePath, args: [...ARGS, ...more] };
  }
  const { path: executablePath, args } = await packagedChromium();
  return { executablePath, args: [...args.filter((arg) => !UNWANTED.includes(arg)), ...ARGS, ...more] };
}

/** Limit of a single wait, ms. Playwright's 30 s are reached on a busy machine, for instance while a song is analyzed. */
const WAIT_MS = 120_000;

/** Makes pages of a browser wait for up to {@link WAIT_MS}. */
export function patient(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MS);
    return context;
  };
  return browser;
}

/** Maximum wait for a browser to close, ms: with an open microphone Chromium takes half a minute. */
const CLOSING_MS = 3000;

function closingSoon(browser: Browser): Browser {
  const close = browser.close.bind(browser);
  // The remaining processes end with the process that started them.
  browser.close = () => Promise.race([close(), sleep(CLOSING_MS, undefined, { ref: false })]);
  return browser;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
