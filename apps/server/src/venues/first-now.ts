import type { FirstNow, StandbyAsk } from "@followspot/contract";
import { mirrorQueue, readQueueCopy } from "../music/queue-copy.ts";
import type { Sql, Tx } from "../platform/database.ts";
import { findLampPart, noteOtherHeard, setLampPart } from "../platform/lamp-part.ts";
import { transact } from "../platform/transaction.ts";
import { rigNumber } from "./rig-copy.ts";

/** What is asked of the stage of this machine. */
export interface StageNow {
  /** 0 while it does not answer. */
  readonly up_ms: number;
  readonly blackout: boolean;
}

export interface FirstNowPorts {
  readonly sql: Sql;
  readonly stage: () => Promise<StageNow>;
  /** The queue was moved by the standby. */
  readonly onQueue: () => void;
}

/** What the first machine answers its standby. Where the standby leads, this one is silent and plays what it plays. */
export async function firstNow({ sql, stage, onQueue }: FirstNowPorts, ask: StandbyAsk): Promise<FirstNow> {
  const heardAt = performance.now();
  const { up_ms, blackout } = await stage();
  const { yields, isMoved } = await transact(sql, (tx) => settlePart(tx, ask, { up_ms, heardAt }));
  if (isMoved) onQueue();
  const [rig, queue] = [Number(await rigNumber(sql)), await readQueueCopy(sql, ask.turn)];
  return { yields, stage_up_ms: up_ms, blackout, rig, queue };
}

/** @param heardAt when the standby was heard, ms: its song has gone on since */
async function settlePart(tx: Tx, ask: StandbyAsk, { up_ms, heardAt }: { up_ms: number; heardAt: number }) {
  const own = (await findLampPart(tx))?.part;
  if (ask.part === "asks") return { yields: own === "yields", isMoved: false };
  // The connection between the two was cut, or the API hung: this machine drove its lamps all along, and goes on.
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
