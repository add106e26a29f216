import { openSongFiles } from "./music/open-song-files.ts";
import { beatToParent } from "./platform/beat.ts";
import { leaveUnusableHosts } from "./platform/database-watch.ts";
import { openDatabase } from "./platform/database.ts";
import { inBackground } from "./platform/in-background.ts";
import { openLog, withoutRepeats } from "./platform/log.ts";
import { outliveLostConnections } from "./platform/lost-connections.ts";
import { outliveReaders } from "./platform/lost-readers.ts";
import { keepPrivate } from "./platform/private-files.ts";
import { required, settingsOrExit } from "./platform/settings.ts";
import { onStop } from "./platform/stopping.ts";
import { BoxConnection } from "./venues/box-connection.ts";
import { storeLack } from "./venues/box.store.ts";
import { OfficeDoor } from "./venues/office-door.ts";
import { stageBlackout } from "./venues/stage-blackout.ts";
import { StandbyConnection } from "./venues/standby-connection.ts";

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
    warn(`${why}. This box asks its office for nothing more.`);
    stopping.abort();
    const lack = `${why}. This box asks its office for nothing more until it is started again.`;
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
