import { Code, ConnectError } from "@connectrpc/connect";
import { refusal } from "./errors.ts";

/** A plain HTTP call of our own server; JSON in the answer, refusals as ConnectError. */
export async function requestJson<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw new ConnectError("the request was cancelled", Code.Canceled);
    throw new ConnectError("the server cannot be reached", Code.Unavailable, undefined, undefined, error);
  }
  const body = await response.text();
  if (!response.ok) throw refusal(response.status, body);
  return (body ? JSON.parse(body) : {}) as Answer;
}
