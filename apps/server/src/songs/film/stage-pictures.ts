import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve, sep } from "node:path";
import { buffer } from "node:stream/consumers";
import type { LightingPlan, Rig } from "@followspot/contract";
import type { PictureSize } from "@followspot/lighting";
import { AudioError } from "../audio/audio-error.ts";
import { startProgram } from "../audio/child-program.ts";
import { plainEnvironment } from "../../platform/process/programs.ts";
import { ROOT } from "../../platform/settings.ts";
import { FilmError } from "./film-error.ts";
import type { Chromium } from "./find-chromium.ts";

/** The built console, with the page that renders films. */
const CONSOLE = join(ROOT, "apps/console/dist");
export const STAGE_PAGE = join(CONSOLE, "stage-film.html");
/** Longest time for one film, and for its first picture, ms. */
const TIMEOUT_MS = 4 * 3_600_000;
const START_MS = 120_000;
/** Pictures rendered ahead of the reader. */
const AHEAD = 3;

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Job for the page. */
interface StageJob extends PictureSize {
  readonly plan: LightingPlan;
  readonly rig: Rig;
  /** Song times of the pictures, seconds. */
  readonly times: readonly number[];
}

/**
 * Renders the 3D stage at every song time, one after another, in a headless browser that reads the plan from this
 * process and posts the pictures back: rows of RGB pixels.
 * @throws FilmError if the browser fails; the abort reason of `signal`
 */
export async function* stagePictures(job: StageJob, chromium: Chromium, signal: AbortSignal): AsyncGenerator<Buffer> {
  const inbox = new Inbox(job.width, job.height);
  const key = randomBytes(16).toString("hex");
  const server = createServer((request, response) => {
    answer(request, response, { key, job, inbox }).catch((error: unknown) => inbox.fail(String(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const home = await mkdtemp(join(tmpdir(), "followspot-film-"));
  const address = `http://127.0.0.1:${port}/admin/stage-film.html?key=${key}`;
  const program = startProgram(chromium.path, [...chromium.args, `--user-data-dir=${home}`, address], {
    timeoutMs: TIMEOUT_MS,
    signal,
    env: plainEnvironment(home),
  });
  program.process.stdout.resume();
  program.done.then(
    ({ code, complaint }) => inbox.fail(`it ended with exit code ${code}, ${lastLine(complaint)}`),
    (error: unknown) => inbox.fail(error instanceof AudioError ? "it took too long" : String(error)),
  );
  const late = setTimeout(() => inbox.fail("it did not begin to draw"), START_MS);
  try {
    for (let i = 0; i < job.times.length; i++) {
      const picture = await inbox.next();
      clearTimeout(late);
      yield picture;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(late);
    program.kill();
    await program.done.catch(() => undefined);
    server.closeAllConnections();
    server.close();
    await rm(home, { recursive: true, force: true });
  }
}

interface Answering {
  readonly key: string;
  readonly job: StageJob;
  readonly inbox: Inbox;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { key, job, inbox }: Answering,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://film");
  if (request.method === "GET" && pathname.startsWith("/admin/")) return sendFile(pathname, response);
  // Other users of this machine must not read the plan or the pictures.
  if (searchParams.get("key") !== key) return void response.writeHead(404).end();
  if (pathname === "/job") return void response.setHeader("content-type", "application/json").end(JSON.stringify(job));
  const body = await buffer(request);
  if (pathname === "/failed") inbox.fail(body.toString().slice(0, 500));
  else await inbox.put(body);
  response.end();
}

async function sendFile(pathname: string, response: ServerResponse): Promise<void> {
  const path = resolve(CONSOLE, pathname.slice("/admin/".length));
  const bytes = path.startsWith(CONSOLE + sep) ? await readFile(path).catch(() => undefined) : undefined;
  if (!bytes) return void response.writeHead(404).end();
  response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream").end(bytes);
}

/** Queue of pictures from the page to the film, in order. */
class Inbox {
  readonly #width: number;
  readonly #height: number;
  readonly #pictures: Buffer[] = [];
  #failure: FilmError | undefined;
  #wake = Promise.withResolvers<void>();

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** Resolves when there is room for the next one. @param rgba rows from bottom to top, as graphics cards store them */
  async put(rgba: Buffer): Promise<void> {
    const rgb = this.#turned(rgba);
    if (!rgb) return this.fail(`it gave ${rgba.length} bytes for a picture`);
    this.#pictures.push(rgb);
    this.#call();
    while (this.#pictures.length >= AHEAD && !this.#failure) await this.#wake.promise;
  }

  async next(): Promise<Buffer> {
    for (;;) {
      const picture = this.#pictures.shift();
      this.#call();
      if (picture) return picture;
      if (this.#failure) throw this.#failure;
      await this.#wake.promise;
    }
  }

  fail(why: string): void {
    this.#failure ??= new FilmError(`Chromium cannot draw the stage: ${why.trim()}`);
    this.#call();
  }

  #call(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  #turned(rgba: Buffer): Buffer | undefined {
    const [width, height] = [this.#width, this.#height];
    if (rgba.length !== 4 * width * height) return undefined;
    const rgb = Buffer.allocUnsafe(3 * width * height);
    let to = 0;
    for (let row = height - 1; row >= 0; row--) {
      for (let from = 4 * width * row, end = from + 4 * width; from < end; from += 4) {
        rgb[to++] = rgba[from]!;
        rgb[to++] = rgba[from + 1]!;
        rgb[to++] = rgba[from + 2]!;
      }
    }
    return rgb;
  }
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";
