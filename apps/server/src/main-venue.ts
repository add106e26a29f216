import { openSongFiles } from "./songs/catalog/open-song-files.ts";
import { beatToParent } from "./platform/process/beat.ts";
import { leaveUnusableHosts } from "./platform/database/database-watch.ts";
import { openDatabase } from "./platform/database/database.ts";
import { inBackground } from "./platform/process/in-background.ts";
import { openLog, withoutRepeats } from "./platform/process/log.ts";
import { outliveLostConnections } from "./platform/database/lost-connections.ts";
import { outliveReaders } from "./platform/process/lost-readers.ts";
import { keepPrivate } from "./platform/files/private-files.ts";
import { required, settingsOrExit } from "./platform/settings.ts";
import { onStop } from "./platform/process/stopping.ts";
import { BoxConnection } from "./machines/venues/box-connection.ts";
import { storeLack } from "./machines/venues/box.store.ts";
import { OfficeDoor } from "./machines/venues/office-door.ts";
import { stageBlackout } from "./machines/venues/stage-blackout.ts";
import { StandbyConnection } from "./machines/venues/standby-connection.ts";

outliveReaders();
outliveLostConnections();
beatToParent();
keepPrivate();
const settings = settingsOrExit();
const log = openLog("main-venue", settings);
const warn = withoutRepeats((message) => log.warn(message));
const sql = openDatabase(required(settings, "DATABASE_URL"), 3, settings.FOLLOWSPOT_DATA_DIR);
leaveUnusableHosts(sql);
const stopping = new AbortController();
onStop(stop);
const door = new OfficeDoor({
  server: required(settings, "FOLLOWSPOT_VENUE_SERVER"),
  token: required(settings, "FOLLOWSPOT_VENUE_TOKEN"),
  say: (line) => log.warn(line),
  // The night continues with local data. After a restart this process would take the token back from the machine that
  // uses it now.
  onEnd: (why) => {
    warn(`${why} This box asks its office for nothing more.`);
    stopping.abort();
    const lack = `${why} This box asks its office for nothing more until it is started again.`;
    inBackground("storing why this box stopped", storeLack(sql, lack), warn);
  },
});
const connection = new BoxConnection({
  sql,
  door,
  files: openSongFiles(settings),
  say: (text) => log.info(text),
  warn,
  signal: stopping.signal,
});
const standby = new StandbyConnection({
  sql,
  door,
  setBlackout: stageBlackout(settings),
  say: (text) => log.info(text),
  warn,
  signal: stopping.signal,
});
await Promise.all([connection.run(), standby.run()]);

async function stop(): Promise<void> {
  stopping.abort();
  await sql.end({ timeout: 5 });
  process.exit(0);
}
