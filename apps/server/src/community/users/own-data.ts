import type { Db, Sql } from "../../platform/database/database.ts";
import { exhausted } from "../../platform/errors.ts";
import type { Fragment } from "../../platform/database/lists.ts";

/** One kind of personal data, as listed in an export. */
export interface KeptPart {
  /** Key of its list in the export. */
  readonly name: string;
  /** Tables that it covers. */
  readonly tables: readonly string[];
  /** Query for the rows of one user, newest first, with readable column names. */
  readonly rows: (db: Db, userId: string) => Fragment;
}

/** Maximum number of rows of one kind: an export is built in memory. */
const MOST_ROWS = 10_000;

/** Builds exports of a user's personal data, one at a time because each may be large. */
export class OwnData {
  readonly #sql: Sql;
  readonly #parts: readonly KeptPart[];
  readonly #waiting = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(sql: Sql, parts: readonly KeptPart[]) {
    this.#sql = sql;
    this.#parts = parts;
  }

  /** Builds the export of a user. @throws resource_exhausted if an export of the same user is already waiting */
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
