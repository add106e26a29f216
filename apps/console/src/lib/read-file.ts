import { isUnauthenticated } from "./errors.ts";
import { requestJson } from "./http.ts";

/** Parser for the shape of a file, such as a schema of the contract. */
interface Shape<File> {
  readonly parse: (value: unknown) => File;
}

/** Reads a JSON file of a song. A missing, unreadable or invalid file fails with the same message, `failure`. */
export async function readFile<File>(
  path: string,
  shape: Shape<File>,
  failure: string,
  signal: AbortSignal,
): Promise<File> {
  try {
    return shape.parse(await requestJson(path, { signal }));
  } catch (cause) {
    if (isUnauthenticated(cause) || signal.aborted) throw cause;
    throw new Error(failure, { cause });
  }
}
