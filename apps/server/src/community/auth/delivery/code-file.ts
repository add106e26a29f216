import { join } from "node:path";
import { writeFileAtomic } from "../../../platform/files/atomic-file.ts";

const FILE = "sign-in-codes.txt";
/** Number of codes in the file; older ones have expired or were replaced. */
const MOST_CODES = 20;

/** Stores sign-in codes in the data folder, for servers whose log is collected elsewhere: codes are credentials. */
export class SignInCodeFile {
  readonly path: string;
  #lines: readonly string[] = [];
  /** Writes one at a time, so that the newest file wins. */
  #written: Promise<void> = Promise.resolve();

  constructor(dataDir: string) {
    this.path = join(dataDir, FILE);
  }

  /** Adds a line; the file is readable by the user of the server alone. */
  async add(line: string): Promise<void> {
    this.#lines = [...this.#lines, line].slice(-MOST_CODES);
    this.#written = this.#written
      .catch(() => undefined)
      .then(() => writeFileAtomic(this.path, this.#lines.join(""), String(process.pid), 0o600));
    await this.#written;
  }
}
