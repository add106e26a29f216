import type { Db } from "../../platform/database/database.ts";

/** Sign-up settings of this community, a single row. */
export interface SignUpRow {
  readonly mode: "closed" | "invitation" | "open";
  /** Seed of the invitation link; null until a link was made. It remains while another mode is set. */
  readonly seed: Buffer | null;
  /** How codes reach guests: by mail or SMS, by the invitation link itself, or read out by staff. */
  readonly code_by: "mail" | "link" | "staff";
}

export async function readSignUp(db: Db): Promise<SignUpRow> {
  const [row] = await db<SignUpRow[]>`select mode, seed, code_by from sign_up`;
  return row!; // the migration inserts the row, and nothing deletes it
}

/** Reads the settings and locks them until the transaction ends. */
export async function lockSignUp(db: Db): Promise<SignUpRow> {
  const [row] = await db<SignUpRow[]>`select mode, seed, code_by from sign_up for update`;
  return row!; // as above
}

export async function storeSignUp(db: Db, { mode, seed, code_by }: SignUpRow): Promise<void> {
  await db`update sign_up set mode = ${mode}, seed = ${seed}, code_by = ${code_by}`;
}
