import type { Db, Sql } from "../platform/database.ts";
import { exhausted } from "../platform/errors.ts";
import type { Fragment } from "../platform/lists.ts";

/** One kind of thing that is kept of people. */
export interface KeptPart {
  /** What its list is called in the export. */
  readonly name: string;
  /** Tables it tells of. */
  readonly tables: readonly string[];
  /** What there is of one person, newest first, in columns a person can read. */
  readonly rows: (db: Db, userId: string) => Fragment;
}

/** Rows of one kind at most: an export is put together in memory. */
const MOST_ROWS = 10_000;

/** Puts together what is kept of a person: one export at a time, as each may be large. */
export class OwnData {
  readonly #sql: Sql;
  readonly #parts: readonly KeptPart[];
  readonly #waiting = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(sql: Sql, parts: readonly KeptPart[]) {
    this.#sql = sql;
    this.#parts = parts;
  }

  /** @throws resource_exhausted while the same person waits for theirs */
  async of(userId: string): Promise<string> {
    if (this.#waiting.has(userId)) throw exhausted("Your data is being put together. Try again in a minute.", 60);
    this.#waiting.add(userId);
    const data = this.#last.then(() => this.#read(userId)).finally(() => this.#waiting.delete(userId));
    this.#last = data.catch(() => undefined);
    return data;
  }

  async #read(userId: string): Promise<string> {
    const lists: Record<string, readonly unknown[]> = {};
    const not_all: string[] = [];
    for (const { name, rows } of this.#parts) {
      const found = await this.#sql`select * from (${rows(this.#sql, userId)}) as kept limit ${MOST_ROWS + 1}`;
      lists[name] = found.slice(0, MOST_ROWS);
      if (found.length > MOST_ROWS) not_all.push(name);
    }
    const all = { exported_at: new Date(), ...lists, ...(not_all.length > 0 && { not_all }) };
    return JSON.stringify(all, (_key, value) => (typeof value === "bigint" ? Number(value) : value), 2);
  }
}
