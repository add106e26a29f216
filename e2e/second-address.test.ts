import { networkInterfaces } from "node:os";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeCamera } from "./testing/fake-inputs.ts";
import { removeData, startProduct, until, type Product } from "./testing/product.ts";
import { sharedBrowser } from "./testing/shared-product.ts";

/** Address of this machine in its network, where pages are not on loopback; undefined without a network. */
const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;
const PHONE = { width: 390, height: 844 };
const SCREENS = ["events", "music", "lights", "workers", "preflight", "tonight"];

describe.skipIf(ADDRESS === undefined).each(["http", "https"])("at the machine's network address over %s", (scheme) => {
  let product: Product;
  let browser: Browser;
  let context: BrowserContext;
  let base: string;
  let eventId: string;
  /** Requests of the owner's pages that were answered 401 after the sign-in. */
  const refused: string[] = [];

  /** Opens a device that does not trust our authority yet, as after *Continue anyway*. */
  const newDevice = () => browser.newContext({ ignoreHTTPSErrors: true, viewport: PHONE });
  const open = async (device: BrowserContext, path: string): Promise<Page> => {
    const page = await device.newPage();
    await page.goto(base + path);
    return page;
  };

  beforeAll(async () => {
    [product, browser] = await Promise.all([
      startProduct({ env: { HOST: "0.0.0.0", ...(scheme === "https" && { FOLLOWSPOT_HTTPS: "on" }) } }),
      sharedBrowser(),
    ]);
    base = `${scheme}://${ADDRESS}:${new URL(product.url).port}`;
    context = await newDevice();
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const night = { title: "Harbour night", starts_at: at(-3600_000), ends_at: at(5 * 3600_000) };
    const guests = { registration: "invitation", public_page: "link" };
    eventId = (await product.call("event.v1.EventService/CreateEvent", { ...night, ...guests })).event.id;
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    if (product) await removeData(product.dataDir);
  });

  // kept: Doors | On plain HTTP in a LAN every GET with the session cookie was refused with 401 | also
  test("the owner signs in and opens every screen", async () => {
    const owner = new URL(product.ownerLink!).search;
    const page = await open(context, `/admin${owner}`);
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Email").fill("ada@example.org");
    await page.getByRole("button", { name: "Become owner" }).click();
    await page.getByText("System overview and statistics").waitFor();
    context.on("response", (response) => void (response.status() === 401 && refused.push(response.url())));
    for (const screen of SCREENS) {
      await page.goto(`${base}/admin/${screen}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
    }
    expect(await page.getByText("Your session has ended").count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test("a guest registers by the invitation link, and has a code", async () => {
    const { path } = await product.call("event.v1.EventService/RenewEventInvitation", { event_id: eventId });
    const page = await open(await newDevice(), path);
    await page.getByLabel("Your name").fill("Gil");
    await page.getByLabel("Email or phone").fill("gil@example.org");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    let code: string | undefined;
    await until(() => {
      code = /Sign-in code for gil@example\.org: (\d+)/.exec(product.output())?.[1];
      return code !== undefined;
    });
    await page.getByLabel("Code", { exact: true }).fill(code!);
    await page.getByRole("button", { name: "Confirm and register" }).click();
    await page.waitForURL(/\/me/);
    await page.getByRole("heading", { name: "Harbour night" }).waitFor();
  });

  test("the door checks the guest in, by the camera where the browser permits it, otherwise by a photo", async () => {
    const page = await open(context, `/admin/events/${eventId}/codes`);
    const printed = page.locator("li[data-code] svg").first();
    const picture = await printed.screenshot();
    await page.goto(`${base}/admin/events/${eventId}/check-in`);
    if (scheme === "https") {
      await page.evaluate(fakeCamera, { picture: picture.toString("base64"), degrees: 10 });
      await page.getByRole("button", { name: "Scan with the camera" }).click();
    } else {
      expect(await page.evaluate(() => isSecureContext)).toBe(false);
      await page.getByText("Browsers give live cameras only to pages that were opened over https").waitFor();
      const photo = page.getByLabel("Photograph the code", { exact: true });
      await photo.setInputFiles({ name: "code.png", mimeType: "image/png", buffer: picture });
    }
    await page.locator("[data-scan=in]").waitFor();
  });

  test("the player and the projector open by their links", async () => {
    const { linkPath } = (await product.call("sound.v1.SoundService/CreatePlayerLink", {})).sound;
    const { link } = await product.call("director.v1.DirectorService/CreateStageLink", { event_id: eventId });
    const player = await open(await newDevice(), linkPath);
    await player.getByText("Nothing plays").waitFor();
    const projector = await open(await newDevice(), link.path);
    await projector.getByText("Harbour night").first().waitFor();
    expect(refused).toEqual([]);
  });
});
