import { moveEndings } from "./director/screens.store.ts";
import { screenPayload } from "./director/screen-message.ts";
import { holdAfterOutage } from "../songs/queue/queue-outage.ts";
import type { Sql } from "../platform/database/database.ts";
import { tell } from "../platform/database/outbox.ts";
import type { Settings } from "../platform/settings.ts";
import { transact } from "../platform/database/transaction.ts";
import { endOpenFaults, noteFault } from "./faults.store.ts";
import { readHeartbeat } from "./heartbeat.ts";

/** Outage up to which music resumes automatically, s. */
const SHORT = 10 * 60;
/** Outage after which timers are not changed because that night is over, s. */
const OTHER_NIGHT = 6 * 3600;

/** State found at startup. */
export interface FoundNight {
  /** Start of the outage if something was playing; undefined otherwise. */
  readonly heldSince: Date | undefined;
  /** Whether playback resumes automatically. */
  readonly goesOn: boolean;
}

/**
 * Runs before any process is started: holds the current song at its last position, and shifts timers so that they
 * retain their remaining time. Restarts of single processes do not call it.
 */
export async function holdNight(sql: Sql, setting: Settings["FOLLOWSPOT_AFTER_OUTAGE"]): Promise<FoundNight> {
  const heartbeat = await readHeartbeat(sql);
  if (!heartbeat) return { heldSince: undefined, goesOn: false };
  const { at, now } = heartbeat;
  const heldSince = await transact(sql, async (tx) => {
    const since = await holdAfterOutage(tx, at);
    const screens = secondsBetween(at, now) < OTHER_NIGHT ? await moveEndings(tx, at) : [];
    for (const screen of screens) await tell(tx, "stage_screen", screen.id, "timer_moved", screenPayload(screen));
    // If the clock was set back, the outage would end before it began.
    const until = now < at ? at : now;
    if (since?.getTime() === at.getTime() || screens.length > 0)
      await noteFault(tx, { kind: "outage", says: "Followspot was not running.", at, until });
    await endOpenFaults(tx, at);
    // Updated here, so that another start after an aborted one does not shift timers again.
    await tx`update heartbeat set beat_at = clock_timestamp()`;
    return since;
  });
  return { heldSince, goesOn: heldSince !== undefined && goesOnByItself(secondsBetween(heldSince, now), setting) };
}

const goesOnByItself = (seconds: number, setting: Settings["FOLLOWSPOT_AFTER_OUTAGE"]): boolean =>
  setting === undefined ? seconds < SHORT : setting === "resume";

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;
