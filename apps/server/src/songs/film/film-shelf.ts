import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { Rig } from "@followspot/contract";
import { z } from "zod";
import { startOwnProgram, type ChildProgram } from "../audio/child-program.ts";
import { writeFileAtomic } from "../../platform/files/atomic-file.ts";
import { conflict, notFound } from "../../platform/errors.ts";
import { newId } from "../../platform/database/ids.ts";
import { environmentOf, plainEnvironment } from "../../platform/process/programs.ts";

/** A part of a song's show to export as a film. */
export interface FilmOrder {
  readonly songId: string;
  readonly title: string;
  /** Start in song time, seconds. */
  readonly from: number;
  readonly to: number;
  readonly type: "mp4" | "webp";
  readonly look: "flat" | "3d";
  /** `1280x720` */
  readonly size: string;
  readonly plan: unknown;
  readonly rig: Rig;
  /** Path of the song's audio; without it the film is silent. */
  readonly audio: string | undefined;
}

/** State of a film, stored in its folder. */
const shelvedFilm = z.object({
  id: z.string(),
  songId: z.string(),
  title: z.string(),
  from: z.number(),
  to: z.number(),
  type: z.enum(["mp4", "webp"]),
  state: z.enum(["making", "ready", "failed"]),
  /** Share of the pictures rendered, 0..1. */
  progress: z.number(),
  /** Reason for a failure, as a sentence for users; empty otherwise. */
  problem: z.string(),
  /** Time of its maker's last heartbeat, epoch ms. */
  saidAt: z.number(),
});
export type ShelvedFilm = z.infer<typeof shelvedFilm>;

/** A ULID, so that folder names sort by age. */
const FILM_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
/** Number of films to keep; the newest are kept. */
const KEPT = 5;
/**
 * Heartbeat interval of the process that makes a film, and the time without a heartbeat after which it counts as ended,
 * ms.
 */
const SAY_MS = 1000;
const SILENT_MS = 20_000;
const LONGEST_MS = 2 * 3_600_000;
/** Time for a canceled film to clean up, ms. */
const STOP_MS = 10_000;
/** Progress line of `song -- film`. */
const PROGRESS = /(\d+) of (\d+) frames drawn/;
const ENDED = "The server was started again while it was made. Export it once more.";

/**
 * Manages films exported from the page. One is made at a time, by `song -- film` in a low-priority process, and a few
 * are kept for download. Each film's state is stored in its folder, so films survive a restart, and every API on the
 * data folder lists, serves and cancels them.
 */
export class FilmShelf {
  readonly #root: string;
  /** The film that this process makes; its program is undefined until it runs. */
  #making: { readonly id: string; program: ChildProgram | undefined; isWanted: boolean } | undefined;
  /** Settles when the last film is made or its files are removed. */
  #atWork: Promise<void> = Promise.resolve();

  /** Address of the command line `song`, which renders a film. */
  readonly #song: URL;

  constructor(dataDir: string, song: URL) {
    this.#root = join(dataDir, "films");
    this.#song = song;
  }

  /** Lists the films, newest first. */
  async films(): Promise<readonly ShelvedFilm[]> {
    const found = await Promise.all((await this.#ids()).map((id) => this.#read(id)));
    return found.filter((film) => film !== undefined);
  }

  /** Starts a film. @throws ConnectError if another one is being made */
  async start(order: FilmOrder): Promise<ShelvedFilm> {
    const films = await this.films();
    const busy = films.find(({ state }) => state === "making");
    if (busy) throw conflict(`A film of "${busy.title}" is being made. Wait until it is ready, or cancel it.`);
    const { songId, title, from, to, type } = order;
    const told = { id: newId(), songId, title, from, to, type, progress: 0, problem: "", saidAt: Date.now() };
    const film: ShelvedFilm = { ...told, state: "making" };
    const kept = new Set(films.slice(0, KEPT - 1).map(({ id }) => id));
    const dropped = (await this.#ids()).filter((id) => !kept.has(id));
    await this.#note(film);
    this.#making = { id: film.id, program: undefined, isWanted: true };
    this.#atWork = this.#make(film, order, dropped);
    return film;
  }

  /**
   * Deletes a film; one that is being made, here or by another process, is canceled. @throws ConnectError if it does
   * not exist
   */
  async remove(id: string): Promise<void> {
    const film = await this.find(id);
    if (this.#making?.id === id) {
      this.#making.isWanted = false;
      await this.#stop();
      await this.#atWork;
    }
    // Another process that makes it notices the missing folder and stops.
    await this.#drop(film.id);
  }

  /** @throws ConnectError if it does not exist */
  async find(id: string): Promise<ShelvedFilm> {
    const film = FILM_ID.test(id) ? await this.#read(id) : undefined;
    if (!film) throw notFound("Film", id);
    return film;
  }

  /** Returns the path of a film. */
  pathOf({ id, type }: Pick<ShelvedFilm, "id" | "type">): string {
    return join(this.#folder(id), `film.${type}`);
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.#atWork;
  }

  async #make(film: ShelvedFilm, order: FilmOrder, dropped: readonly string[]): Promise<void> {
    const { id } = film;
    let progress = 0;
    // Notes are written one after the other, so that the last one wins.
    let noted: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => (noted = noted.then(() => this.#beat({ ...film, progress }))), SAY_MS);
    const said = await this.#outcome(order, film, dropped, (share) => (progress = share));
    clearInterval(timer);
    await noted;
    this.#making = undefined;
    if (await this.#read(id)) await this.#note({ ...film, ...said }).catch(() => undefined);
  }

  /** Makes the film and returns its final state. */
  async #outcome(
    order: FilmOrder,
    { id }: ShelvedFilm,
    dropped: readonly string[],
    onProgress: (share: number) => void,
  ): Promise<Pick<ShelvedFilm, "state"> & Partial<ShelvedFilm>> {
    try {
      for (const old of dropped) await this.#drop(old);
      const problem = await this.#film(id, order, onProgress);
      return problem === undefined ? { state: "ready", progress: 1 } : { state: "failed", problem };
    } catch (error) {
      return { state: "failed", problem: error instanceof Error ? error.message : String(error) };
    }
  }

  /** @returns why it failed, as a sentence for users; undefined on success */
  async #film(id: string, order: FilmOrder, onProgress: (share: number) => void): Promise<string | undefined> {
    const folder = this.#folder(id);
    const [plan, rig] = [join(folder, "lighting.json"), join(folder, "rig.json")];
    await writeFile(plan, JSON.stringify(order.plan));
    await writeFile(rig, JSON.stringify(order.rig));
    const making = this.#making;
    if (making?.id !== id || !making.isWanted) return "it was cancelled";
    const stretch = ["--from", order.from.toFixed(3), "--to", order.to.toFixed(3)];
    const picture = ["--look", order.look, "--size", order.size];
    const sound = order.audio === undefined ? [] : ["--audio", order.audio];
    const args = ["film", plan, "--rig", rig, ...stretch, ...picture, ...sound, this.pathOf({ id, type: order.type })];
    const env = { ...plainEnvironment(folder), ...environmentOf(["FOLLOWSPOT_FFMPEG", "FOLLOWSPOT_CHROMIUM"]) };
    const program = startOwnProgram(this.#song, args, { timeoutMs: LONGEST_MS, env });
    making.program = program;
    const { pid, stdin, stdout, stderr } = program.process;
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    stdin.end();
    stdout.resume();
    stderr.on("data", (bytes: Buffer) => {
      const [, drawn, count] = PROGRESS.exec(bytes.toString()) ?? [];
      if (drawn !== undefined) onProgress(Number(drawn) / Number(count));
    });
    const { code, complaint } = await program.done;
    const said = complaint.split("\n").filter((line) => line.trim() !== "" && !PROGRESS.test(line));
    return code === 0 ? undefined : (said.at(-1) ?? `it ended with exit code ${code}`);
  }

  async #stop(): Promise<void> {
    const { program } = this.#making ?? {};
    if (!program) return;
    program.process.kill("SIGTERM");
    const late = setTimeout(program.kill, STOP_MS);
    await program.done.catch(() => undefined);
    clearTimeout(late);
  }

  /** Writes a heartbeat, unless another process has canceled the film. */
  async #beat(film: ShelvedFilm): Promise<void> {
    if (await this.#read(film.id)) await this.#note(film).catch(() => undefined); // a full disk does not stop it
    else await this.#stop();
  }

  async #note(film: ShelvedFilm): Promise<void> {
    await mkdir(this.#folder(film.id), { recursive: true });
    await writeFileAtomic(this.#noteOf(film.id), JSON.stringify({ ...film, saidAt: Date.now() }), "note");
  }

  /** Lists the IDs of film folders, newest first. */
  async #ids(): Promise<readonly string[]> {
    const names = await readdir(this.#root).catch(() => []);
    return names
      .filter((name) => FILM_ID.test(name))
      .toSorted()
      .toReversed();
  }

  async #read(id: string): Promise<ShelvedFilm | undefined> {
    const film = await readFile(this.#noteOf(id), "utf8").then(parseNote, () => undefined);
    if (film?.state !== "making" || Date.now() - film.saidAt < SILENT_MS) return film;
    return { ...film, state: "failed", problem: ENDED };
  }

  async #drop(id: string): Promise<void> {
    // The browser may end slightly later than its program, and still write to the folder.
    await rm(this.#folder(id), { recursive: true, force: true, maxRetries: 10 });
  }

  #folder(id: string): string {
    return join(this.#root, id);
  }

  #noteOf(id: string): string {
    return join(this.#folder(id), "film.json");
  }
}

/** Parses the state of a film; undefined for a damaged file, which must not hide the other films. */
function parseNote(text: string): ShelvedFilm | undefined {
  try {
    return shelvedFilm.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // not JSON
  }
}
