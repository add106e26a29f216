import { serverPath } from "../lib/base-path.ts";

/** How long a call may take before it counts as lost, ms: a venue's network is slow. */
const LIMIT_MS = 20_000;

/** What the server said no with, in a sentence for people. `code` is empty where no answer came. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }

  /** The server does not know who this is. */
  get isSignedOut(): boolean {
    return this.code === "unauthenticated";
  }
}

const UNREACHED = "No answer from Followspot. Is this phone online?";

/**
 * One call of the contract as plain JSON, without the contract's runtime, which is larger than this page.
 * @param method such as `talk.v1.TalkService/Vote`
 * @throws Refusal
 */
export async function call<Answer>(method: string, body: object = {}, limitMs = LIMIT_MS): Promise<Answer> {
  let answer: Response;
  let said: { readonly code?: string; readonly message?: string };
  try {
    answer = await fetch(serverPath(`/followspot.${method}`), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(limitMs),
    });
    said = await answer.json();
  } catch {
    throw new Refusal("", UNREACHED);
  }
  if (!answer.ok) throw new Refusal(said.code ?? "unknown", said.message ?? UNREACHED);
  return said as Answer;
}
