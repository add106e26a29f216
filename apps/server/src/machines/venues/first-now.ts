import type { FirstNow, StandbyAsk } from "@followspot/contract";
import { mirrorQueue, readQueueCopy } from "../../songs/queue/queue-copy.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { findLampPart, noteOtherHeard, setLampPart } from "../../lights/standby-role.ts";
import { transact } from "../../platform/database/transaction.ts";
import { rigNumber } from "./rig-copy.ts";

/** State of the stage on this machine. */
export interface StageNow {
  /** 0 while the stage does not respond. */
  readonly up_ms: number;
  readonly blackout: boolean;
}

export interface FirstNowPorts {
  readonly sql: Sql;
  readonly stage: () => Promise<StageNow>;
  /** Called when the standby has changed the show queue. */
  readonly onQueue: () => void;
}

/**
 * Answers the standby of this first machine. If the standby is active, this machine stops its output and mirrors the
 * standby's queue.
 */
export async function firstNow({ sql, stage, onQueue }: FirstNowPorts, ask: StandbyAsk): Promise<FirstNow> {
  const heardAt = performance.now();
  const { up_ms, blackout } = await stage();
  const { yields, isMoved } = await transact(sql, (tx) => settlePart(tx, ask, { up_ms, heardAt }));
  if (isMoved) onQueue();
  const [rig, queue] = [Number(await rigNumber(sql)), await readQueueCopy(sql, ask.turn)];
  return { yields, stage_up_ms: up_ms, blackout, rig, queue };
}

/** @param heardAt time at which the request arrived, ms; the standby's song has advanced since */
async function settlePart(tx: Tx, ask: StandbyAsk, { up_ms, heardAt }: { up_ms: number; heardAt: number }) {
  const own = (await findLampPart(tx))?.part;
  if (ask.part === "asks") return { yields: own === "yields", isMoved: false };
  // Only the connection was cut, or the API hung: this machine drove its fixtures throughout, and remains active.
  const droveOn = ask.silent_ms !== null && up_ms >= ask.silent_ms;
  if (ask.part === "follows" || own === "takes" || droveOn) {
    const isSettled = own === undefined || (own === "takes" && ask.part === "leads");
    if (!isSettled) await setLampPart(tx, undefined);
    return { yields: false, isMoved: false };
  }
  if (own !== "yields") await setLampPart(tx, "yields");
  await noteOtherHeard(tx);
  const ageSeconds = (performance.now() - heardAt) / 1000;
  const isMoved = ask.queue !== null && (await mirrorQueue(tx, ask.queue, ageSeconds)).isOther;
  return { yields: true, isMoved };
}
