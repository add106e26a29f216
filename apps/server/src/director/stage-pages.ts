import type { ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Envelope, StagePageMessage, StagePicture } from "@followspot/contract";
import type { Sql } from "../platform/database.ts";
import { exhausted } from "../platform/errors.ts";
import { every } from "../platform/every.ts";
import { readPicture } from "./screen-picture.ts";
import { findStageLink } from "./stage-links.ts";

/** How often the stage is asked what it plays, and how long changes beside the screen are gathered. */
const TICK_MS = 1000;
/** Every so many ticks each page hears something, and sees what no envelope told. */
const TICKS_PER_BEAT = 4;
/** A link is for a few projectors; a person who passes it on does not keep the server busy. */
const MAX_PAGES_PER_SCREEN = 200;
const MAX_PAGES = 2000;
/** A reader this far behind is cut off rather than buffered for. */
const MAX_BUFFERED_BYTES = 262_144;
/** Things that stand on screens: a change of one may be a change of the picture. */
const ON_SCREENS = /^(?:talk|event|user|gold_transaction)\./;

export interface StagePagesPorts {
  readonly sql: Sql;
  /** The song the stage plays now; null for none, also when the stage does not answer. */
  readonly playing: () => Promise<StagePicture["song"]>;
  readonly warn: (message: string) => void;
}

interface OpenPage {
  readonly stream: ServerResponse;
  readonly seed: Buffer;
}

/** The pages of one screen that are open in this process. */
interface OpenScreen {
  readonly pages: Set<OpenPage>;
  /** What was sent last; undefined before the first. */
  picture: StagePicture | undefined;
  reading: Promise<void> | undefined;
  isAskedAgain: boolean;
}

/** Everybody who looks at a stage screen by its link: each change is sent as the whole picture. */
export class StagePages {
  readonly #ports: StagePagesPorts;
  readonly #screens = new Map<string, OpenScreen>();
  readonly #stopTicking: () => void;
  #song: StagePicture["song"] = null;
  #ticks = 0;
  #isStale = false;

  constructor(ports: StagePagesPorts) {
    this.#ports = ports;
    this.#stopTicking = every(TICK_MS, "keeping stage pages true", () => this.#tick(), ports.warn);
  }

  get count(): number {
    return [...this.#screens.values()].reduce((sum, { pages }) => sum + pages.size, 0);
  }

  /** @throws resource_exhausted when too many look already */
  requireRoom(screenId: string): void {
    const here = this.#screens.get(screenId)?.pages.size ?? 0;
    if (here < MAX_PAGES_PER_SCREEN && this.count < MAX_PAGES) return;
    throw exhausted("Too many pages are open with this link. Close some of them.");
  }

  /** Sends what the screen shows to a page from now on, until its connection or its link ends. */
  open(screenId: string, seed: Buffer, stream: ServerResponse): void {
    const screen = this.#screens.get(screenId) ?? {
      pages: new Set(),
      picture: undefined,
      reading: undefined,
      isAskedAgain: false,
    };
    this.#screens.set(screenId, screen);
    const page = { stream, seed };
    screen.pages.add(page);
    stream.on("close", () => {
      screen.pages.delete(page);
      if (screen.pages.size === 0 && this.#screens.get(screenId) === screen) this.#screens.delete(screenId);
    });
    stream.on("error", () => stream.destroy());
    // A new page is sent everything; the others get it once more, which costs less than to tell them apart.
    screen.picture = undefined;
    this.refresh(screenId);
  }

  /** An envelope of any topic. */
  hear({ type, payload }: Envelope): void {
    const { stage_screen_id, stage_link_id } = payload as { stage_screen_id?: string; stage_link_id?: string };
    const screenId = stage_screen_id ?? stage_link_id;
    if (screenId !== undefined) this.refresh(screenId);
    else if (ON_SCREENS.test(type)) this.#isStale = true;
  }

  /** Sends what has changed on a screen, if a page is open. */
  refresh(screenId: string): void {
    const screen = this.#screens.get(screenId);
    if (!screen) return;
    screen.isAskedAgain = true;
    screen.reading ??= this.#readWhileAsked(screenId, screen).finally(() => (screen.reading = undefined));
  }

  refreshAll(): void {
    for (const screenId of this.#screens.keys()) this.refresh(screenId);
  }

  /** Ends every stream: pages keep their picture and come back. */
  close(): void {
    this.#stopTicking();
    for (const { pages } of this.#screens.values()) for (const { stream } of [...pages]) stream.end();
  }

  async #tick(): Promise<void> {
    if (this.#screens.size === 0) return;
    const song = await this.#ports.playing();
    const isOther = !isDeepStrictEqual(song, this.#song);
    this.#song = song;
    this.#ticks += 1;
    if (!isOther && !this.#isStale && this.#ticks % TICKS_PER_BEAT > 0) return;
    this.#isStale = false;
    this.refreshAll();
  }

  async #readWhileAsked(screenId: string, screen: OpenScreen): Promise<void> {
    while (screen.isAskedAgain) {
      screen.isAskedAgain = false;
      try {
        await this.#send(screenId, screen);
      } catch (error) {
        // The database may be away: pages show that they are behind, and the next beat tries again.
        this.#ports.warn(`a stage page could not be told: ${(error as Error).message}`);
      }
    }
  }

  async #send(screenId: string, screen: OpenScreen): Promise<void> {
    const link = await findStageLink(this.#ports.sql, screenId);
    const read = await readPicture(this.#ports.sql, screenId, this.#song);
    for (const page of [...screen.pages]) {
      if (read && link?.seed.equals(page.seed)) continue;
      say(page, { type: "withdrawn" });
      page.stream.end();
      screen.pages.delete(page);
    }
    if (!read) return;
    const server_time = read.readAt.getTime();
    const isSame = isDeepStrictEqual(read.picture, screen.picture);
    screen.picture = read.picture;
    const message: StagePageMessage = isSame
      ? { type: "beat", server_time }
      : { type: "picture", server_time, picture: read.picture };
    for (const page of screen.pages) say(page, message);
  }
}

function say({ stream }: OpenPage, message: StagePageMessage): void {
  if (stream.destroyed || stream.writableEnded) return;
  if (stream.writableLength > MAX_BUFFERED_BYTES) return void stream.destroy();
  stream.write(`data: ${JSON.stringify(message)}\n\n`);
}
