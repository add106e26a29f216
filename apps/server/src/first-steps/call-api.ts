/** A call that the API refused; the message is the API's. */
export class ApiError extends Error {
  /** Connect's code, such as not_found. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Made {
  readonly id: string;
}

/** The parts of answers that the demo night reads. */
interface Answer {
  readonly event: Made;
  readonly talk: Made;
  readonly user: Made;
  readonly thread: Made;
  readonly playlist: Made;
  readonly song: Made;
  readonly group: Made;
  readonly lights: readonly { readonly id: number }[];
}

/** @throws ApiError */
export type CallApi = (method: string, body: object) => Promise<Answer>;

/** Calls of one person, as a script would make them: by the same rules, and written to the audit log in their name. */
export function callApi(api: string, token: string): CallApi {
  return async (method, body) => {
    const answer = await fetch(`${api}/followspot.${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const reply = (await answer.json()) as Answer & { readonly code?: string; readonly message?: string };
    if (!answer.ok)
      throw new ApiError(reply.code ?? "unknown", reply.message ?? `the server answered ${answer.status}`);
    return reply;
  };
}
