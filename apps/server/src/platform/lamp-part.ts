import type { Output } from "@followspot/contract";
import type { Db, Tx } from "./database.ts";
import { tell } from "./outbox.ts";

/**
 * What this machine does for lamps that two machines can drive, the first one and its standby. `follows`: a standby, silent.
 * `leads`: a standby that drives them. `yields`: the first one, silent while its standby drives them. `takes`: the first one,
 * told to drive them again, before its standby knows.
 */
export type LampPart = "follows" | "leads" | "yields" | "takes";

export interface LampPartRow {
  readonly part: LampPart;
  readonly since: Date;
  /** When the other machine was heard last; null before. */
  readonly heard_at: Date | null;
  /** What would be missing if this machine drove the lamps now; "" for nothing. */
  readonly says: string;
}

/** The first one drives its lamps again when its standby has said nothing for so long. */
const STANDBY_LOST_SECONDS = 3;
/** E1.31 §6.2.3 */
const HIGHEST_PRIORITY = 200;
const USUAL_PRIORITY = 100;

/** Undefined on a machine that has no other. */
export async function findLampPart(db: Db): Promise<LampPartRow | undefined> {
  const [row] = await db<LampPartRow[]>`select part, since, heard_at, says from lamp_part`;
  return row;
}

/** Whether the other machine drives the lamps, and moves the queue of both. */
export const isSilent = (part: LampPart | undefined): boolean => part === "follows" || part === "yields";

/** From now on this machine does this; the stage reads its outputs again. @param part undefined: it has no other */
export async function setLampPart(tx: Tx, part: LampPart | undefined): Promise<void> {
  if (part === undefined) await tx`delete from lamp_part`;
  else
    await tx`
      insert into lamp_part (part) values (${part})
      on conflict (singleton, community_id) do update set part = excluded.part, since = excluded.since`;
  await readAgain(tx);
}

/** The stage reads its outputs, and players hear whether they are heard. */
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

/** A standby that is lost leaves the lamps to the first machine. @returns whether it was */
export async function endLostYield(tx: Tx): Promise<boolean> {
  const lost = await tx`
    delete from lamp_part
    where part in ('yields', 'takes')
      and coalesce(heard_at, since) < clock_timestamp() - make_interval(secs => ${STANDBY_LOST_SECONDS})`;
  if (lost.count > 0) await readAgain(tx);
  return lost.count > 0;
}

/**
 * Outputs of a machine with this part. Those of a silent one stay open and send nothing. A standby that leads sends sACN with a
 * higher priority: receivers still hold the stream of the first machine for 2.5 seconds (E1.31 §6.7.1).
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
