import { moveEndings } from "../director/screens.store.ts";
import { screenPayload } from "../director/screen-message.ts";
import { holdAfterOutage } from "../music/queue-outage.ts";
import type { Sql } from "../platform/database.ts";
import { tell } from "../platform/outbox.ts";
import type { Settings } from "../platform/settings.ts";
import { transact } from "../platform/transaction.ts";
import { endOpenFaults, noteFault } from "./faults.store.ts";
import { readHeartbeat } from "./heartbeat.ts";

/** Music goes on by itself after less than this. Seconds. */
const SHORT = 10 * 60;
/** After so long that night is over: timers are left as they are. Seconds. */
const OTHER_NIGHT = 6 * 3600;

/** What a start found. */
export interface FoundNight {
  /** Since when everything was away while something played; undefined where nothing did. */
  readonly heldSince: Date | undefined;
  /** Whether it is to go on by itself. */
  readonly goesOn: boolean;
}

/**
 * Before any part is started: what played stands where it was heard last, and timers have what was left of them. A restart of
 * parts alone never comes here.
 */
export async function holdNight(sql: Sql, setting: Settings["FOLLOWSPOT_AFTER_OUTAGE"]): Promise<FoundNight> {
  const heartbeat = await readHeartbeat(sql);
  if (!heartbeat) return { heldSince: undefined, goesOn: false };
  const { at, now } = heartbeat;
  const heldSince = await transact(sql, async (tx) => {
    const since = await holdAfterOutage(tx, at);
    const screens = secondsBetween(at, now) < OTHER_NIGHT ? await moveEndings(tx, at) : [];
    for (const screen of screens) await tell(tx, "stage_screen", screen.id, "timer_moved", screenPayload(screen));
    // By a clock that was set back meanwhile it ended before it began.
    const until = now < at ? at : now;
    if (since?.getTime() === at.getTime() || screens.length > 0)
      await noteFault(tx, { kind: "outage", says: "Followspot was not running.", at, until });
    await endOpenFaults(tx, at);
    // Once is enough: a start that is broken off must not move timers again.
    await tx`update heartbeat set beat_at = clock_timestamp()`;
    return since;
  });
  return { heldSince, goesOn: heldSince !== undefined && goesOnByItself(secondsBetween(heldSince, now), setting) };
}

const goesOnByItself = (seconds: number, setting: Settings["FOLLOWSPOT_AFTER_OUTAGE"]): boolean =>
  setting === undefined ? seconds < SHORT : setting === "resume";

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;
