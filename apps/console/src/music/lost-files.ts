import { FILE_IS_MISSING } from "@followspot/contract";
import type { Song } from "@followspot/contract/music";

/** Whether a song waits for a file that only a person has: it was uploaded, and the server has it no more. */
export const needsItsFile = ({ url, errorMessage }: Pick<Song, "url" | "errorMessage">): boolean =>
  url === "" && errorMessage.startsWith(FILE_IS_MISSING);
