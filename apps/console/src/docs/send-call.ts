import { serverPath } from "../lib/base-path.ts";
import { docsStrings } from "./docs.strings.ts";

/** What came back for a call that was sent by hand. */
export interface Answered {
  /** HTTP status; 0 where nothing came. */
  readonly status: number;
  /** The code of a refusal, such as `not_found`. */
  readonly code: string;
  /** Until all of it was here, ms. */
  readonly ms: number;
  readonly bytes: number;
  /** JSON, indented; as it came where it is no JSON. */
  readonly body: string;
}

/** One call of the API with the session of this page. It never throws: what went wrong is what came back. */
export async function sendCall(path: string, body: string, signal: AbortSignal): Promise<Answered> {
  const from = performance.now();
  try {
    // Without connect-protocol-version: the server refuses misspelled fields of a body typed by hand.
    const headers = { "content-type": "application/json" };
    const answer = await fetch(serverPath(path), { method: "POST", credentials: "same-origin", headers, body, signal });
    const said = await answer.text();
    const ms = performance.now() - from;
    return { status: answer.status, ...readable(said), ms, bytes: new TextEncoder().encode(said).length };
  } catch (error) {
    const why = signal.aborted ? docsStrings.tryIt.cancelled : String(error);
    return { status: 0, code: "", ms: performance.now() - from, bytes: 0, body: why };
  }
}

function readable(said: string): Pick<Answered, "code" | "body"> {
  try {
    const parsed = JSON.parse(said) as { readonly code?: unknown };
    return {
      code: typeof parsed.code === "string" && "message" in parsed ? parsed.code : "",
      body: JSON.stringify(parsed, null, 2),
    };
  } catch {
    return { code: "", body: said };
  }
}
