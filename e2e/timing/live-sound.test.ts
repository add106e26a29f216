import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wavFile } from "../../apps/server/src/songs/audio/wav.ts";
import { drumLoop, TEST_RATE } from "../../apps/server/src/stage/testing/sounds.ts";
import { listenForArtNet } from "../testing/art-net-listener.ts";
import { openBrowser } from "../testing/browser.ts";
import { removeData, startProduct, until, type Product } from "../testing/product.ts";

const BPM = 126;
const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1440, height: 900 };
/** Folder for screenshots; none are taken without it. */
const SHOTS = process.env["SOUND_SHOTS"];

let product: Product;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let folder: string;
const browsers: Browser[] = [];
let booth: Page;
let phone: Page;
const complaints: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "followspot-microphone-"));
  const wav = join(folder, "drums.wav");
  const { y } = drumLoop(BPM, (60 / BPM) * 64);
  await writeFile(wav, wavFile(y, y, TEST_RATE));
  product = await startProduct();
  node = await listenForArtNet();
  const fake = ["--use-fake-device-for-media-stream", `--use-file-for-fake-audio-capture=${wav}`];
  browsers.push(await openBrowser([...fake, "--use-fake-ui-for-media-stream"]), await openBrowser(fake));
  for (const position of ["1", "2", "3", "4"]) {
    const light = { label: `Par ${position}`, light_type: "generic_rgb_par", mode: "3 channels", position };
    await product.call("lights.v1.LightsService/CreateLight", light);
  }
  const output = { id: "o", protocol: "artnet", host: "127.0.0.1", port: node.port, universe: 1, enabled: true };
  await product.call("lights.v1.LightsService/SetOutputs", { outputs: [output] });
  for (const name of ["Ana", "Bo"]) {
    const person = { name, email: `${name.toLowerCase()}@example.org`, roles: ["Director"] };
    await product.call("user.v1.UserService/CreateUser", person);
  }
  booth = await open(browsers[0]!, "ana", { viewport: LAPTOP });
  phone = await open(browsers[1]!, "bo", { viewport: PHONE, hasTouch: true });
});
afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()));
  node?.close();
  await product?.stop();
  await removeData(product.dataDir);
  await rm(folder, { recursive: true, force: true });
});

async function open(browser: Browser, name: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy|permissions policy/i.test(message.text())) complaints.push(message.text());
  });
  const email = `${name}@example.org`;
  await page.goto(`${product.url}/admin/desk`);
  await page.getByLabel("Email or phone").fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  const code = () => new RegExp(`Sign-in code for ${email.replace(".", "\\.")}: (\\d+)`).exec(product.output())?.[1];
  await until(() => code() !== undefined);
  await page.getByLabel(/code/i).fill(code()!);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await block(page).getByRole("button", { name: "Follow the microphone" }).waitFor();
  return page;
}

const block = (page: Page) => page.getByRole("region", { name: "Live sound" });
const lights = () => node.packets.map(({ slots }) => [...slots.slice(0, 12)].join(" "));

async function picture(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  await mkdir(SHOTS, { recursive: true });
  await block(page).scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

test("one button makes the lights follow a microphone, and one returns them to songs", async () => {
  await picture(booth, "off");
  await block(booth).getByRole("button", { name: "Follow the microphone" }).click();
  await block(booth).getByText("Your microphone leads").waitFor();
  await block(phone).getByText("Ana leads").waitFor();
  await picture(phone, "phone-others");
  // The detected beat is correct, and the light moves.
  const tempo = async (page: Page) => Number(/(\d+) BPM/.exec(await block(page).innerText())?.[1] ?? 0);
  await until(async () => Math.abs((await tempo(booth)) - BPM) <= 3);
  await until(async () => /(finding|on) the beat/.test(await block(phone).innerText()));
  await until(() => new Set(lights().slice(-80)).size > 20);
  await picture(booth, "on");
  await picture(phone, "phone-on");
  // Another page of the console does not end it.
  await booth.getByRole("link", { name: "Lights", exact: true }).click();
  await booth.getByRole("heading", { name: "Lights", exact: true }).waitFor();
  node.packets.length = 0;
  await until(() => new Set(lights()).size > 20);
  await block(phone).getByRole("button", { name: "Back to songs" }).click();
  await until(
    () =>
      lights()
        .at(-1)
        ?.split(" ")
        .every((slot) => slot === "0") ?? false,
  );
  await block(phone).getByRole("button", { name: "Follow the microphone" }).waitFor();
  expect(complaints).toEqual([]);
});
