/** Explains a failed lookup, connect or send in a sentence that names the host. */
export function sendFailure(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  switch (code) {
    case "ENOTFOUND":
      return `Host not found: ${host}`;
    case "EAI_AGAIN":
      return `The name server does not answer, so ${host} cannot be looked up`;
    case "ENETUNREACH":
    case "ENETDOWN":
      return `No network leads to ${host}`;
    case "EHOSTUNREACH":
    case "EHOSTDOWN":
      return `${host} does not answer on its network`;
    case "ECONNREFUSED":
      return `Nothing listens at ${host} on port ${port}`;
    case "EACCES":
    case "EPERM":
      return `This machine does not allow sending to ${host}`;
    default:
      return `Sending to ${host} failed (${code || String(error)})`;
  }
}

export function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? ""; // system errors have a code, others do not
}
