import { serverPath } from "../lib/base-path.ts";

/** Timeout of a call, ms; generous, because a venue's network is slow. */
const LIMIT_MS = 20_000;

/** Error of a call, with a message for the user. `code` is empty if no response arrived. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }

  /** Whether the session is missing or no longer valid. */
  get isSignedOut(): boolean {
    return this.code === "unauthenticated";
  }
}

const UNREACHED = "No answer from Followspot. Is this phone online?";

/**
 * Calls a method of the contract with plain JSON, without the contract's runtime, which is larger than this page.
 * @param method for example `talk.v1.TalkService/Vote`
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
