/** A call that the API rejected; the message comes from the API. */
export class ApiError extends Error {
  /** Connect code, such as not_found. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** @returns the parsed JSON response @throws ApiError */
export type CallApi = <Answer>(method: string, body: object) => Promise<Answer>;

/**
 * Returns a function that calls the API as one user, for scripts: with the user's permissions, and recorded in the
 * audit log under their name.
 * @param api address of the running API
 * @param token bearer token of the user
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
