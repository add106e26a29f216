import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { Rig } from "@followspot/contract";
import { startOwnProgram, type ChildProgram } from "../audio/child-program.ts";
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

export interface ShelvedFilm extends Pick<FilmOrder, "songId" | "title" | "from" | "to" | "type"> {
  readonly id: string;
  readonly state: "making" | "ready" | "failed";
  /** 0..1 of its pictures. */
  readonly progress: number;
  /** Why it failed, for a person; empty otherwise. */
  readonly problem: string;
}

/** Films that are kept, the newest. */
const KEPT = 5;
/** What an earlier run of the server left is removed after this. */
const OLD_MS = 24 * 3_600_000;
const LONGEST_MS = 2 * 3_600_000;
/** A film that is stopped takes away what it has begun; it has so long for that. */
const STOP_MS = 10_000;
/** A line of `song -- film`. */
const PROGRESS = /(\d+) of (\d+) frames drawn/;

/**
 * Films that are made from the page: one at a time, by `song -- film` in a process of its own that gives way to everything
 * else, and a few kept to be downloaded. They are known as long as this process runs.
 */
export class FilmShelf {
  readonly #root: string;
  #films: readonly ShelvedFilm[] = [];
  /** The program of the film at work; missing before it runs. */
  #making: { readonly id: string; readonly program: ChildProgram } | undefined;
  /** Until the last film is made, or what it began is taken away. */
  #atWork: Promise<void> = Promise.resolve();

  constructor(dataDir: string) {
    this.#root = join(dataDir, "films");
  }

  /** The newest first. */
  get films(): readonly ShelvedFilm[] {
    return this.#films;
  }

  /** Begins a film. @throws ConnectError while another one is being made */
  start(order: FilmOrder): ShelvedFilm {
    const busy = this.#films.find(({ state }) => state === "making");
    if (busy) throw conflict(`A film of "${busy.title}" is being made. Wait until it is ready, or cancel it.`);
    const { songId, title, from, to, type } = order;
    const film = { id: newId(), songId, title, from, to, type, state: "making", progress: 0, problem: "" } as const;
    const dropped = this.#films.slice(KEPT - 1);
    this.#films = [film, ...this.#films.slice(0, KEPT - 1)];
    this.#atWork = this.#make(film.id, order, dropped);
    return film;
  }

  /** Stops it when it is being made; its file goes. @throws ConnectError when there is none */
  async remove(id: string): Promise<void> {
    const film = this.#films.find((each) => each.id === id);
    if (!film) throw notFound("Film", id);
    this.#films = this.#films.filter((each) => each !== film);
    if (this.#making?.id === id) await this.#stop();
    // Before its program runs it sees for itself that it is not wanted, and nothing may be written meanwhile.
    if (film.state === "making") await this.#atWork;
    await rm(this.#folder(id), { recursive: true, force: true });
  }

  /** Path of a film that is ready. @throws ConnectError when there is none */
  pathOf(id: string): string {
    const film = this.#films.find((each) => each.id === id && each.state === "ready");
    if (!film) throw notFound("Film", id);
    return this.#path(film);
  }

  /** Removes what earlier runs left. */
  async tidy(): Promise<void> {
    const known = new Set(this.#films.map(({ id }) => id));
    for (const id of await readdir(this.#root).catch(() => [])) {
      const found = known.has(id) ? undefined : await stat(this.#folder(id)).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > OLD_MS) await rm(this.#folder(id), { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    await this.#stop();
  }

  async #make(id: string, order: FilmOrder, dropped: readonly ShelvedFilm[]): Promise<void> {
    try {
      for (const film of dropped) await rm(this.#folder(film.id), { recursive: true, force: true });
      await mkdir(this.#folder(id), { recursive: true });
      const problem = await this.#film(id, order);
      this.#tell(id, problem === undefined ? { state: "ready", progress: 1 } : { state: "failed", problem });
    } catch (error) {
      this.#tell(id, { state: "failed", problem: error instanceof Error ? error.message : String(error) });
    } finally {
      if (this.#making?.id === id) this.#making = undefined;
    }
  }

  /** @returns why there is none, for a person; undefined when it is made */
  async #film(id: string, order: FilmOrder): Promise<string | undefined> {
    const folder = this.#folder(id);
    const [plan, rig] = [join(folder, "lighting.json"), join(folder, "rig.json")];
    await writeFile(plan, JSON.stringify(order.plan));
    await writeFile(rig, JSON.stringify(order.rig));
    if (!this.#films.some((film) => film.id === id)) return "it was cancelled";
    const stretch = ["--from", order.from.toFixed(3), "--to", order.to.toFixed(3)];
    const picture = ["--look", order.look, "--size", order.size];
    const sound = order.audio === undefined ? [] : ["--audio", order.audio];
    const args = ["film", plan, "--rig", rig, ...stretch, ...picture, ...sound, this.#path({ id, type: order.type })];
    const env = { ...plainEnvironment(folder), ...environmentOf(["FOLLOWSPOT_FFMPEG", "FOLLOWSPOT_CHROMIUM"]) };
    const program = startOwnProgram("../cli/song.ts", args, { timeoutMs: LONGEST_MS, env });
    this.#making = { id, program };
    const { pid, stdin, stdout, stderr } = program.process;
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    stdin.end();
    stdout.resume();
    stderr.on("data", (bytes: Buffer) => {
      const [, drawn, count] = PROGRESS.exec(bytes.toString()) ?? [];
      if (drawn !== undefined) this.#tell(id, { progress: Number(drawn) / Number(count) });
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

  #tell(id: string, news: Partial<ShelvedFilm>): void {
    this.#films = this.#films.map((film) => (film.id === id ? { ...film, ...news } : film));
  }

  #folder(id: string): string {
    return join(this.#root, id);
  }

  #path({ id, type }: Pick<ShelvedFilm, "id" | "type">): string {
    return join(this.#folder(id), `film.${type}`);
  }
}
