import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { Rig } from "@followspot/contract";
import { z } from "zod";
import { startOwnProgram, type ChildProgram } from "../audio/child-program.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { conflict, notFound } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { environmentOf, plainEnvironment } from "../platform/programs.ts";

/** A stretch of a song's show that a person wants as a file. */
export interface FilmOrder {
  readonly songId: string;
  readonly title: string;
  /** Song seconds. */
  readonly from: number;
  readonly to: number;
  readonly type: "mp4" | "webp";
  readonly look: "flat" | "3d";
  /** `1280x720` */
  readonly size: string;
  readonly plan: unknown;
  readonly rig: Rig;
  /** Path of the song's sound; without it the film is silent. */
  readonly audio: string | undefined;
}

/** What stands beside a film, in its folder. */
const shelvedFilm = z.object({
  id: z.string(),
  songId: z.string(),
  title: z.string(),
  from: z.number(),
  to: z.number(),
  type: z.enum(["mp4", "webp"]),
  state: z.enum(["making", "ready", "failed"]),
  /** 0..1 of its pictures. */
  progress: z.number(),
  /** Why it failed, for a person; empty otherwise. */
  problem: z.string(),
  /** When its maker last said so, ms. */
  saidAt: z.number(),
});
export type ShelvedFilm = z.infer<typeof shelvedFilm>;

/** A ULID, so that names of folders say which film is the newest. */
const FILM_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
/** Films that are kept, the newest. */
const KEPT = 5;
/** The maker of a film notes so often how far it is; without a note for the longer one it has ended. */
const SAY_MS = 1000;
const SILENT_MS = 20_000;
const LONGEST_MS = 2 * 3_600_000;
/** A film that is stopped takes away what it has begun; it has so long for that. */
const STOP_MS = 10_000;
/** A line of `song -- film`. */
const PROGRESS = /(\d+) of (\d+) frames drawn/;
const ENDED = "The server was started again while it was made. Export it once more.";

/**
 * Films that are made from the page: one at a time, by `song -- film` in a process of its own that gives way to everything
 * else, and a few kept to be downloaded. What is known of each stands in its folder: a restart keeps them, and every API
 * on the data folder lists, serves and cancels them.
 */
export class FilmShelf {
  readonly #root: string;
  /** The film that this process makes; its program is missing before it runs. */
  #making: { readonly id: string; program: ChildProgram | undefined; isWanted: boolean } | undefined;
  /** Until the last film is made, or what it began is taken away. */
  #atWork: Promise<void> = Promise.resolve();

  constructor(dataDir: string) {
    this.#root = join(dataDir, "films");
  }

  /** The newest first. */
  async films(): Promise<readonly ShelvedFilm[]> {
    const found = await Promise.all((await this.#ids()).map((id) => this.#read(id)));
    return found.filter((film) => film !== undefined);
  }

  /** Begins a film. @throws ConnectError while another one is being made */
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

  /** Stops it when it is being made, here or by another process; its file goes. @throws ConnectError when there is none */
  async remove(id: string): Promise<void> {
    const film = await this.find(id);
    if (this.#making?.id === id) {
      this.#making.isWanted = false;
      await this.#stop();
      await this.#atWork;
    }
    // Another process that makes it finds its folder missing, and stops.
    await this.#drop(film.id);
  }

  /** @throws ConnectError when there is none */
  async find(id: string): Promise<ShelvedFilm> {
    const film = FILM_ID.test(id) ? await this.#read(id) : undefined;
    if (!film) throw notFound("Film", id);
    return film;
  }

  /** Path of a film. */
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
    // One note after the other, so that the last one stands.
    let noted: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => (noted = noted.then(() => this.#beat({ ...film, progress }))), SAY_MS);
    const said = await this.#outcome(order, film, dropped, (share) => (progress = share));
    clearInterval(timer);
    await noted;
    this.#making = undefined;
    if (await this.#read(id)) await this.#note({ ...film, ...said }).catch(() => undefined);
  }

  /** Makes the film, and says what became of it. */
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

  /** @returns why there is none, for a person; undefined when it is made */
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
    const program = startOwnProgram("../cli/song.ts", args, { timeoutMs: LONGEST_MS, env });
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

  /** Says that the film is at work, unless another process has cancelled it. */
  async #beat(film: ShelvedFilm): Promise<void> {
    if (await this.#read(film.id))
      await this.#note(film).catch(() => undefined); // on a full disk it goes on
    else await this.#stop();
  }

  async #note(film: ShelvedFilm): Promise<void> {
    await mkdir(this.#folder(film.id), { recursive: true });
    await writeFileAtomic(this.#noteOf(film.id), JSON.stringify({ ...film, saidAt: Date.now() }), "note");
  }

  /** Of folders, the newest first. */
  async #ids(): Promise<readonly string[]> {
    const names = await readdir(this.#root).catch(() => []);
    return names
      .filter((name) => FILM_ID.test(name))
      .toSorted()
      .toReversed();
  }

  async #read(id: string): Promise<ShelvedFilm | undefined> {
    const text = await readFile(this.#noteOf(id), "utf8").catch(() => undefined);
    const film = text === undefined ? undefined : shelvedFilm.parse(JSON.parse(text)); // whole, as it is written atomically
    if (film?.state !== "making" || Date.now() - film.saidAt < SILENT_MS) return film;
    return { ...film, state: "failed", problem: ENDED };
  }

  async #drop(id: string): Promise<void> {
    // The browser that draws it may end a little later than its program, and still write there.
    await rm(this.#folder(id), { recursive: true, force: true, maxRetries: 10 });
  }

  #folder(id: string): string {
    return join(this.#root, id);
  }

  #noteOf(id: string): string {
    return join(this.#folder(id), "film.json");
  }
}
