import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { asHelper } from "../process/helper-account.ts";
import { plainEnvironment } from "../process/programs.ts";
import type { PictureAnswer, PictureRefusal, PictureTask, Rendition } from "./picture-messages.ts";

const CHILD = fileURLToPath(new URL("./make-pictures-child.ts", import.meta.url));
/** Time for one picture, the start of the program included. */
const PICTURE_MS = 10_000;
/** A program without work for this long ends; the next picture starts one. */
const IDLE_MS = 30_000;

/** A picture that is not taken. */
export class PictureError extends Error {
  readonly code: PictureRefusal;
  constructor(code: PictureRefusal) {
    super(`a picture was refused: ${code}`);
    this.code = code;
  }
}

/**
 * A picture program, for one picture at a time. The first picture starts it, and the next one
 * replaces it after it died: a picture that ends its program costs no other.
 */
export class PictureProgram {
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** @returns the bytes of each rendition in order @throws PictureError */
  async make(bytes: Uint8Array, renditions: readonly Rendition[]): Promise<readonly Uint8Array[]> {
    clearTimeout(this.#idle);
    const task = { bytes, renditions };
    const isFresh = this.#child === undefined;
    let answer = await ask((this.#child ??= this.#start()), task);
    // A program that was there before may have died of something else.
    if (!isFresh && answer.kind === "refused" && answer.code === "deadly")
      answer = await ask((this.#child = this.#start()), task);
    this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
    if (answer.kind === "made") return answer.pictures;
    // It may still be at work on what was given up.
    if (answer.code === "too_slow" || answer.code === "too_heavy") this.close();
    throw new PictureError(answer.code);
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #start(): ChildProcess {
    const start = asHelper(process.execPath, ["--no-warnings", CHILD], { reads: [CHILD] });
    const child = spawn(start.command, start.args, {
      ...start.rights,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      serialization: "advanced",
      env: { ...plainEnvironment(), VIPS_WARNING: "0" },
    });
    const forget = () => {
      if (this.#child === child) this.#child = undefined;
    };
    child.once("exit", forget).once("error", forget);
    // An idle program keeps no process alive; it ends when its channel does.
    child.unref();
    child.channel?.unref();
    return child;
  }
}

function ask(child: ChildProcess, task: PictureTask): Promise<PictureAnswer> {
  return new Promise((resolve) => {
    const settle = (answer: PictureAnswer) => {
      clearTimeout(timer);
      child.off("message", settle).off("exit", onExit).off("error", onError);
      resolve(answer);
    };
    const refuse = (code: PictureRefusal) => settle({ kind: "refused", code });
    const onExit = () => refuse("deadly");
    const onError = () => refuse("no_program");
    const timer = setTimeout(() => refuse("too_slow"), PICTURE_MS);
    child.on("message", settle).on("exit", onExit).on("error", onError);
    child.send(task, (error) => error && onExit());
  });
}
