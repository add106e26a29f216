import type { Output } from "@followspot/contract";
import type { Db, Sql, Tx } from "../platform/database/database.ts";
import { tell } from "../platform/database/outbox.ts";
import { transact } from "../platform/database/transaction.ts";

/**
 * Role of this server in a standby pair that can drive the same fixtures. `follows`: passive standby. `leads`: standby
 * that drives the fixtures. `yields`: primary server, silent while its standby drives them. `takes`: primary server
 * that was told to drive them again, before its standby knows.
 */
export type LampPart = "follows" | "leads" | "yields" | "takes";

export interface LampPartRow {
  readonly part: LampPart;
  readonly since: Date;
  /** Last contact with the other server; null before the first. */
  readonly heard_at: Date | null;
  /** Problem that this server would have when driving the fixtures now; "" for none. */
  readonly says: string;
}

/** Time without contact after which the primary server drives the fixtures again, s. */
const STANDBY_LOST_SECONDS = 3;
/** E1.31 §6.2.3 */
const HIGHEST_PRIORITY = 200;
const USUAL_PRIORITY = 100;

/** Returns the standby role; undefined on a server without a standby pair. */
export async function findLampPart(db: Db): Promise<LampPartRow | undefined> {
  const [row] = await db<LampPartRow[]>`select part, since, heard_at, says from lamp_part`;
  return row;
}

/** Whether the other server drives the fixtures and moves the queue of both. */
export const isSilent = (part: LampPart | undefined): boolean => part === "follows" || part === "yields";

/**
 * Sets the role of this server; the stage reloads its outputs.
 * @param part undefined if there is no standby pair
 */
export async function setLampPart(tx: Tx, part: LampPart | undefined): Promise<void> {
  if (part === undefined) await tx`delete from lamp_part`;
  else
    await tx`
      insert into lamp_part (part) values (${part})
      on conflict (singleton, community_id) do update set part = excluded.part, since = excluded.since`;
  await readAgain(tx);
}

/** Makes the stage reload its outputs, and players re-check which of them is active. */
async function readAgain(tx: Tx): Promise<void> {
  await tx`update rig_revision set revision = revision + 1`;
  await tell(tx, "sound", "all", "changed", {});
}

export async function noteOtherHeard(db: Db): Promise<void> {
  await db`update lamp_part set heard_at = clock_timestamp()`;
}

export async function notePartLack(db: Db, says: string): Promise<void> {
  await db`update lamp_part set says = ${says} where says <> ${says}`;
}

/** Gives the fixtures back to the primary server if its standby is lost. @returns whether it was lost */
export async function endLostYield(sql: Sql): Promise<boolean> {
  // Polled several times a second: a transaction starts only if there is something to change.
  const [lost] = await sql`select from lamp_part where ${isLostYield(sql)}`;
  if (!lost) return false;
  return transact(sql, async (tx) => {
    const { count } = await tx`delete from lamp_part where ${isLostYield(tx)}`;
    if (count > 0) await readAgain(tx);
    return count > 0;
  });
}

const isLostYield = (db: Db) => db`
  part in ('yields', 'takes')
  and coalesce(heard_at, since) < clock_timestamp() - make_interval(secs => ${STANDBY_LOST_SECONDS})`;

/**
 * Adapts outputs to the role. Those of a silent server stay open but send nothing. A leading standby sends sACN with a
 * higher priority, because receivers hold the stream of the primary server for 2.5 seconds (E1.31 §6.7.1).
 */
export function outputsOfPart(outputs: readonly Output[], part: LampPart | undefined): readonly Output[] {
  if (isSilent(part)) return outputs.map((output) => ({ ...output, withheld: true }));
  if (part !== "leads") return outputs;
  return outputs.map((output) =>
    output.protocol === "sacn"
      ? { ...output, priority: Math.min(HIGHEST_PRIORITY, (output.priority ?? USUAL_PRIORITY) + 1) }
      : output,
  );
}
