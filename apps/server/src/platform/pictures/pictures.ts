import type { Rendition } from "./picture-messages.ts";
import { PictureError, PictureProgram } from "./picture-program.ts";

/** Programs at work beside each other. */
const PROGRAMS = 2;
/** Pictures that may wait for one. */
const MAX_WAITING = 64;

/** Makes pictures in programs of their own, two at a time; the others wait their turn. */
export class Pictures {
  readonly #programs = Array.from({ length: PROGRAMS }, () => new PictureProgram());
  readonly #idle = [...this.#programs];
  readonly #waiting: ((program: PictureProgram) => void)[] = [];

  /** @returns the bytes of each rendition in order @throws PictureError */
  async make(bytes: Uint8Array, renditions: readonly Rendition[]): Promise<readonly Uint8Array[]> {
    if (this.#waiting.length >= MAX_WAITING) throw new PictureError("too_many");
    const program = this.#idle.pop() ?? (await new Promise<PictureProgram>((resolve) => this.#waiting.push(resolve)));
    try {
      return await program.make(bytes, renditions);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(program);
      else this.#idle.push(program);
    }
  }

  /** Ends the programs; a picture sent later starts them again. */
  close(): void {
    for (const program of this.#programs) program.close();
  }
}

/** Those of this process. */
export const pictures = new Pictures();
