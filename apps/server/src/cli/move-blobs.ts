import { checkMoved, moveBlobs, removeOld, type Moved } from "../platform/blobs/move-blobs.ts";
import { MoveNotes } from "../platform/blobs/move-notes.ts";
import { openStore } from "../platform/blobs/open-store.ts";
import { readS3Address, type S3Address } from "../platform/files/s3-address.ts";
import { settingsOrExit } from "../platform/settings.ts";
import { stoppable } from "./stoppable.ts";
import { whereItRuns } from "./where-it-runs.ts";

export interface MoveVerb {
  /** `folder`, or the FOLLOWSPOT_BLOBS value of a bucket. */
  readonly to: string;
  /** The same for the source, if it cannot be derived. */
  readonly from: string | undefined;
  readonly removeOld: boolean;
}

/** Name of the data folder on the command line. */
const FOLDER = "folder";

/** Runs `move-blobs …`. @returns the exit code */
export async function moveBlobsVerb(verb: MoveVerb, say: (line: string) => void): Promise<number> {
  const dataDir = settingsOrExit().FOLLOWSPOT_DATA_DIR;
  const now = addressOf((await whereItRuns()).blobs ?? FOLDER, "FOLLOWSPOT_BLOBS");
  const to = addressOf(verb.to, "--to");
  const isSwitched = isSame(now, to);
  const given = verb.from === undefined ? undefined : addressOf(verb.from, "--from");
  const from = given ?? (isSwitched ? addressOf(await lastSource(dataDir, to), "--from") : now);
  if (isSame(from, to)) throw new Error("Songs are there already. Name another place with --to.");
  if (verb.removeOld && !isSwitched)
    throw new Error(
      `Followspot does not work with ${placeOf(to)} yet. Set ${settingOf(to)}, start it again, and move once more.`,
    );
  const notes = await MoveNotes.open(dataDir, textOf(from), textOf(to));
  const stores = { from: openStore(dataDir, from), to: openStore(dataDir, to), notes, say };
  say(`from ${stores.from.name} to ${stores.to.name}`);
  return stoppable(async (signal) => {
    const moved = await moveBlobs({ ...stores, isSwitched, signal });
    say(describe(moved));
    if (moved.unsteady > 0) {
      say("Some were written while they were copied. Run this once more.");
      return 2;
    }
    if (!isSwitched) {
      say(`Now set ${settingOf(to)}, start Followspot again, and run this once more for what comes meanwhile.`);
      return 0;
    }
    if (!verb.removeOld) {
      say(
        `All is there. With --remove-old every file is read there once more, and then removed from ${stores.from.name}.`,
      );
      return 0;
    }
    const wrong = await checkMoved({ ...stores, signal });
    if (wrong.length > 0) {
      say(
        `Nothing was removed: ${wrong.length} files are missing or damaged in ${stores.to.name}, such as ${wrong[0]}.`,
      );
      return 2;
    }
    say(`${await removeOld(stores.from)} files were removed from ${stores.from.name}.`);
    await notes.remove();
    return 0;
  });
}

async function lastSource(dataDir: string, to: S3Address | undefined): Promise<string> {
  const from = await MoveNotes.sourceOf(dataDir, textOf(to));
  if (from === undefined)
    throw new Error("Songs are there already. To catch what is left elsewhere, name it with --from.");
  return from === "" ? FOLDER : from;
}

/** @returns undefined for the data folder */
function addressOf(text: string, name: string): S3Address | undefined {
  if (text === FOLDER) return undefined;
  const address = readS3Address(text);
  if (typeof address === "string") throw new Error(`${name}: ${address}; or ${FOLDER}`);
  return address;
}

const textOf = (address: S3Address | undefined) => address?.text ?? "";
const placeOf = (address: S3Address | undefined) => address?.text ?? "the data folder";
const settingOf = (address: S3Address | undefined) =>
  address ? `FOLLOWSPOT_BLOBS=${address.text}` : "no FOLLOWSPOT_BLOBS";

/** Whether two addresses refer to the same place, regardless of spelling. */
const isSame = (a: S3Address | undefined, b: S3Address | undefined): boolean =>
  a?.bucket === b?.bucket && a?.prefix === b?.prefix && a?.endpoint === b?.endpoint;

function describe({ copied, same, newer, unsteady }: Moved): string {
  const more = [
    ...(newer > 0 ? [`${newer} are newer there and were left`] : []),
    ...(unsteady > 0 ? [`${unsteady} are to be copied again`] : []),
  ];
  return [`${copied} files were copied, ${same} were there`, ...more].join(", ") + ".";
}
