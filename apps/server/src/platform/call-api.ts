/** A call that the API refused; the message is the API's. */
export class ApiError extends Error {
  /** Connect's code, such as not_found. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** @returns what the caller knows of the answer's JSON @throws ApiError */
export type CallApi = <Answer>(method: string, body: object) => Promise<Answer>;

/**
 * Calls of one person, as a script makes them: by the same rules, and written to the audit log in their name.
 * @param api address of the running API @param token bearer token of the person
 */
export function callApi(api: string, token: string): CallApi {
  return async <Answer>(method: string, body: object) => {
    const answer = await fetch(`${api}/followspot.${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const reply = (await answer.json()) as Answer & { readonly code?: string; readonly message?: string };
    if (!answer.ok)
      throw new ApiError(reply.code ?? "unknown", reply.message ?? `The server answered ${answer.status}.`);
    return reply;
  };
}
