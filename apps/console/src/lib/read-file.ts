import { isUnauthenticated } from "./errors.ts";
import { requestJson } from "./http.ts";

/** Knows the shape of a file; the contract's schemas do. */
interface Shape<File> {
  readonly parse: (value: unknown) => File;
}

/** Reads a JSON file of a song. A missing, unreadable or foreign one is the same to a person: `failure` says it. */
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
