import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { listenForArtNet } from "./art-net-listener.ts";
import { openBrowser } from "./browser.ts";
import type { KnownSong } from "./light-after-sound.ts";
import { processesOn, removeData, startProduct, until, type Product } from "./product.ts";
import { isReady, lightPars, upload } from "./songs.ts";
import { tapSound } from "./sound-tap.ts";

const HOUR_MS = 3_600_000;
export const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true };
export const LAPTOP = { viewport: { width: 1440, height: 900 } };
const TEMPI = [100, 120, 140, 112, 128];
const PARS = 4;
/** Page timeout on a busy machine, ms. */
const PAGE_MS = 20_000;

export interface EveningSize {
  /** Number of attendees who sign up by API calls, all from one address. */
  readonly guests: number;
  /** Capacity of the venue. */
  readonly places: number;
  readonly songs: number;
  readonly songSeconds: number;
  /** Factor for the time limits: more than 1 on a busy machine. */
  readonly patience: number;
}

/** Attendee who signed up by API calls. */
export interface Guest {
  readonly name: string;
  readonly token: string;
}

/** Evening of a community with real server, database, broker and browsers, and fixtures on loopback. */
export class Evening {
  readonly size: EveningSize;
  readonly node: Awaited<ReturnType<typeof listenForArtNet>>;
  readonly songs: KnownSong[] = [];
  readonly guests: Guest[] = [];
  /** Errors reported by pages. */
  readonly complaints: string[] = [];
  product: Product;
  eventId = "";
  playlistId = "";
  readonly talkIds: string[] = [];
  readonly #browsers: Browser[] = [];
  readonly #pages = new Map<string, Page>();

  private constructor(size: EveningSize, product: Product, node: Evening["node"]) {
    this.size = size;
    this.product = product;
    this.node = node;
  }

  /** Prepares everything before doors: fixtures, songs, a playlist with requests, an event with talks, open sign-up. */
  static async prepare(size: EveningSize): Promise<Evening> {
    const [product, node] = await Promise.all([startProduct(), listenForArtNet()]);
    const evening = new Evening(size, product, node);
    await lightPars(product, PARS, node.port);
    for (const tempo of TEMPI.slice(0, size.songs)) {
      const wav = synthesiseSong(size.songSeconds, tempo);
      const { body } = await upload(product, `House Band - Song ${tempo}.wav`, wav);
      evening.songs.push({ id: body.song.id, title: `Song ${tempo}`, wav });
    }
    for (const { id } of evening.songs) await until(() => isReady(product, id), 120_000);
    evening.playlistId = (await evening.music("CreatePlaylist", { name: "Tonight" })).playlist.id;
    // The last song is not on the playlist: an attendee requests it.
    for (const { id } of evening.songs.slice(0, -1))
      await evening.music("AddSongToPlaylist", { playlist_id: evening.playlistId, song_id: id });
    await evening.music("SetSongRequests", { playlist_id: evening.playlistId, requests: "ask" });
    const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    const night = { title: "Midsummer Session", location: "Harbour Hall", starts_at: at(-1), ends_at: at(4) };
    const doors = { places: size.places, registration: "open" };
    evening.eventId = (await product.call("event.v1.EventService/CreateEvent", { ...night, ...doors })).event.id;
    for (const [i, title] of ["A choir for non-singers", "Maps drawn from memory", "Ten winters"].entries()) {
      const talk = { title, event_id: evening.eventId, start_at: at(i - 0.5) };
      evening.talkIds.push((await product.call("talk.v1.TalkService/CreateTalk", talk)).talk.id);
    }
    await product.call("user.v1.UserService/SetSignUp", { mode: "open" });
    return evening;
  }

  async close(): Promise<void> {
    await Promise.all(this.#browsers.map((browser) => browser.close()));
    this.node.close();
    await this.product.stop();
    await removeData(this.product.dataDir);
  }

  music(method: string, body: object = {}): Promise<any> {
    return this.product.call(`music.v1.MusicService/${method}`, body);
  }

  async queue(): Promise<any> {
    return (await this.music("GetShowQueue")).queue;
  }

  /** Calls a method as one attendee. @throws Error with the Connect message */
  async as(token: string, method: string, body: object = {}): Promise<any> {
    const answer = await fetch(`${this.product.url}/followspot.${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const reply: any = await answer.json();
    if (!answer.ok) throw new Error(`[${reply.code}] ${reply.message}`);
    return reply;
  }

  /** Signs an attendee up and in, as a phone does. */
  async signUp(name: string): Promise<Guest> {
    const target = addressOf(name);
    await this.as("", "auth.v1.AuthService/SendLoginCode", { target, name });
    const code = await this.codeFor(target);
    const { token } = await this.as("", "auth.v1.AuthService/VerifyLoginCode", { target, name, code });
    return { name, token };
  }

  /** Returns the code sent to an address: without mail the product prints it. */
  async codeFor(target: string): Promise<string> {
    const found = () => new RegExp(`Sign-in code for ${target.replaceAll(".", "\\.")}: (\\d+)`).exec(this.product.output())?.[1]; // prettier-ignore
    await until(() => found() !== undefined);
    return found()!;
  }

  /** Opens a page in a separate browser: pages of one browser share the session. */
  async open(name: string, path: string, options: BrowserContextOptions): Promise<Page> {
    const browser = await openBrowser();
    this.#browsers.push(browser);
    const context = await browser.newContext({ bypassCSP: name === "player", ...options });
    const page = await context.newPage();
    page.on("pageerror", ({ message }) => this.complaints.push(`${name}: ${message}`));
    page.setDefaultTimeout(PAGE_MS);
    if (name === "player") await page.addInitScript(tapSound);
    if (name === "operator" || name === "door")
      await context.addCookies([
        { name: "followspot_session", value: await this.product.token(), url: this.product.url },
      ]);
    await page.goto(`${this.product.url}${path}`);
    this.#pages.set(name, page);
    return page;
  }

  /**
   * Loads the attendee page as a slow phone would: 1 Mbit/s, a processor four times slower.
   *
   * @returns ms until it asks for the sign-in, and the transferred bytes
   */
  async firstView(): Promise<{ readonly ms: number; readonly bytes: number }> {
    const browser = await openBrowser();
    try {
      const page = await (await browser.newContext(PHONE)).newPage();
      const devtools = await page.context().newCDPSession(page);
      let bytes = 0;
      devtools.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
      await devtools.send("Network.enable");
      const speed = 1_000_000 / 8;
      const slow = { offline: false, latency: 40, downloadThroughput: speed, uploadThroughput: speed };
      await devtools.send("Network.emulateNetworkConditions", slow);
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
      const from = performance.now();
      await page.goto(`${this.product.url}/me`, { waitUntil: "commit" });
      await page.getByLabel("Email or phone").waitFor({ timeout: 2 * PAGE_MS });
      return { ms: performance.now() - from, bytes };
    } finally {
      await browser.close();
    }
  }

  /** Returns an open page. */
  page(name: string): Page {
    const page = this.#pages.get(name);
    if (!page) throw new Error(`The page ${name} is not open`);
    return page;
  }

  /** Signs an attendee up on the page. */
  async openGuest(name: string): Promise<Page> {
    const page = await this.open(name, "/me", PHONE);
    await page.getByLabel("Email or phone").fill(addressOf(name));
    await page.getByLabel("I am new here").check();
    await page.getByLabel("Your name").fill(name);
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByLabel("Code", { exact: true }).fill(await this.codeFor(addressOf(name)));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Midsummer Session" }).waitFor();
    return page;
  }

  /** Whether all fixtures are dark on the wire. */
  get isDark(): boolean {
    return this.node.packets.at(-1)?.slots.every((slot) => slot === 0) ?? true;
  }

  /** Polls a condition. @returns ms until it is true @throws Error if that takes longer than `ms` */
  async timeUntil(isTrue: () => boolean | Promise<boolean>, ms: number): Promise<number> {
    const from = performance.now();
    await until(isTrue, ms);
    return performance.now() - from;
  }

  /**
   * Kills all processes at once, like a power failure, and starts the product again on the same data. @returns
   * duration, ms
   */
  async powerCut(): Promise<number> {
    for (const pid of await processesOn(this.product.dataDir)) kill(pid);
    await until(async () => (await processesOn(this.product.dataDir)).length === 0);
    const from = performance.now();
    const { dataDir, url } = this.product;
    this.product = await startProduct({ dataDir, port: Number(new URL(url).port) });
    return performance.now() - from;
  }
}

export const addressOf = (name: string): string => `${name.toLowerCase().replaceAll(" ", ".")}@example.org`;

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it ended with the one before
  }
}
