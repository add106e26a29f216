import type { FixtureDefinition } from "@followspot/contract";
import type { FixtureFormat } from "./definition.ts";
import { readGdtf } from "./gdtf.ts";
import { FIXTURE_LIMITS, FixtureFileError, refuse, textOf } from "./limits.ts";
import { readOfl } from "./ofl.ts";
import { readQxf } from "./qxf.ts";
import { isZip } from "./zip.ts";

export { compactKey, keyOf } from "./definition.ts";
export type { FixtureFormat } from "./definition.ts";
export { readWorkspace } from "./qxw.ts";
export type { Workspace, WorkspaceFixture, WorkspaceGroup } from "./qxw.ts";
export { cleanName, FIXTURE_LIMITS, FixtureFileError } from "./limits.ts";

/** Names of files that are read. */
export const FIXTURE_FILE = /\.(qxf|json|gdtf)$/i;

export interface ReadFixture {
  readonly format: FixtureFormat;
  readonly definition: FixtureDefinition;
}

/**
 * Reads a fixture description: QLC+ (`.qxf`), Open Fixture Library (`.json`) or GDTF (`.gdtf`). Pure and bounded: any
 * input gives a definition or an error, with time and memory bounded by {@link FIXTURE_LIMITS}.
 *
 * @param name path of the file. Its extension selects the format; the folder of an Open Fixture Library file is the
 * manufacturer.
 * @throws FixtureFileError with a sentence for the user
 */
export function readFixtureFile(name: string, bytes: Uint8Array): ReadFixture {
  if (bytes.length === 0) refuse("The file is empty.");
  if (bytes.length > FIXTURE_LIMITS.fileBytes) refuse("The file is larger than 4 MB.");
  const ending = FIXTURE_FILE.exec(name)?.[1]?.toLowerCase();
  try {
    switch (ending) {
      case "qxf":
        return { format: "qlc", definition: readQxf(textOf(bytes)) };
      case "json":
        return { format: "ofl", definition: readOfl(name, textOf(bytes)) };
      case "gdtf":
        if (!isZip(bytes)) refuse("The file is not packed as GDTF files are.");
        return { format: "gdtf", definition: readGdtf(bytes) };
      default:
        return refuse("Only .qxf (QLC+), .json (Open Fixture Library) and .gdtf files are read.");
    }
  } catch (error) {
    if (error instanceof FixtureFileError) throw error;
    // After a stack overflow or an unforeseen shape the file is rejected, and the process continues.
    throw new FixtureFileError("The file cannot be read as a fixture.", { cause: error });
  }
}
