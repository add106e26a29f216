import type { ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Envelope, StagePageMessage, StagePicture } from "@followspot/contract";
import type { Sql } from "../../platform/database/database.ts";
import { exhausted } from "../../platform/errors.ts";
import { every } from "../../platform/every.ts";
import { readPicture } from "./screen-picture.ts";
import { findStageLink } from "./stage-links.ts";

/** Interval for polling the stage, and for batching changes of entities on screens, ms. */
const TICK_MS = 1000;
/** Number of ticks between heartbeats to each page, which also detect changes without an envelope. */
const TICKS_PER_BEAT = 4;
/** Most pages per screen. A link is for a few projectors; publishing it must not overload the server. */
const MAX_PAGES_PER_SCREEN = 200;
const MAX_PAGES = 2000;
/** Most buffered bytes per page; a page further behind is disconnected. */
const MAX_BUFFERED_BYTES = 262_144;
/** Events of entities that appear on screens, whose change may change the picture. */
const ON_SCREENS = /^(?:talk|event|user|gold_transaction)\./;

export interface StagePagesPorts {
  readonly sql: Sql;
  /** Returns the song that is playing; null for none, also if the stage does not respond. */
  readonly playing: () => Promise<StagePicture["song"]>;
  readonly warn: (message: string) => void;
}

interface OpenPage {
  readonly stream: ServerResponse;
  readonly seed: Buffer;
}

/** Open pages of one screen in this process. */
interface OpenScreen {
  readonly pages: Set<OpenPage>;
  /** Last sent picture; undefined before the first. */
  picture: StagePicture | undefined;
  reading: Promise<void> | undefined;
  isAskedAgain: boolean;
}

/** Streams stage screens to the pages that opened their links: each change is sent as a complete picture. */
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

  /** @throws resource_exhausted if too many pages are open */
  requireRoom(screenId: string): void {
    const here = this.#screens.get(screenId)?.pages.size ?? 0;
    if (here < MAX_PAGES_PER_SCREEN && this.count < MAX_PAGES) return;
    throw exhausted("Too many pages are open with this link. Close some of them.");
  }

  /** Streams a screen to a page until its connection or its link ends. */
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
    // A new page needs the whole picture; resending it to all others is cheaper than tracking each page.
    screen.picture = undefined;
    this.refresh(screenId);
  }

  /** Processes an envelope of any topic. */
  hear({ type, payload }: Envelope): void {
    const { stage_screen_id, stage_link_id } = payload as { stage_screen_id?: string; stage_link_id?: string };
    const screenId = stage_screen_id ?? stage_link_id;
    if (screenId !== undefined) this.refresh(screenId);
    else if (ON_SCREENS.test(type)) this.#isStale = true;
  }

  /** Sends the changes of a screen, if a page is open. */
  refresh(screenId: string): void {
    const screen = this.#screens.get(screenId);
    if (!screen) return;
    screen.isAskedAgain = true;
    screen.reading ??= this.#readWhileAsked(screenId, screen).finally(() => (screen.reading = undefined));
  }

  refreshAll(): void {
    for (const screenId of this.#screens.keys()) this.refresh(screenId);
  }

  /** Ends every stream: pages keep their picture and reconnect. */
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
        // The database may be unavailable: pages show that they are behind, and the next heartbeat retries.
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
