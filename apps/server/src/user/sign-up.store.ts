import type { Db } from "../platform/database.ts";

/** Who may become a person of this community: the one row. */
export interface SignUpRow {
  readonly mode: "closed" | "invitation" | "open";
  /** Of the invitation link; null until there has been one. It stays while the mode is another. */
  readonly seed: Buffer | null;
}

export async function readSignUp(db: Db): Promise<SignUpRow> {
  const [row] = await db<SignUpRow[]>`select mode, seed from sign_up`;
  return row!; // the migration made the row, and nothing deletes it
}

/** Held until the transaction ends. */
export async function lockSignUp(db: Db): Promise<SignUpRow> {
  const [row] = await db<SignUpRow[]>`select mode, seed from sign_up for update`;
  return row!; // as above
}

export async function storeSignUp(db: Db, { mode, seed }: SignUpRow): Promise<void> {
  await db`update sign_up set mode = ${mode}, seed = ${seed}`;
}
