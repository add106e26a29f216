import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { noteCall } from "./called-services.ts";
import { fetchTogether } from "./fetch-together.ts";
import { CALL_LIMIT_MS, unreachable } from "./http.ts";
import { serverAddress } from "./link-address.ts";

const NO_LIMIT = 0;

const calls = createConnectTransport({
  baseUrl: serverAddress(),
  useBinaryFormat: false,
  defaultTimeoutMs: CALL_LIMIT_MS,
  fetch: (input, init) =>
    fetchTogether(input, { ...init, credentials: "same-origin" }).catch((error: unknown) => {
      throw init?.signal?.aborted ? error : unreachable(error);
    }),
});

/**
 * Transport of the console to the API that serves it: same host, JSON bodies, session cookie. A call without a response
 * times out.
 */
export const transport: Transport = {
  ...calls,
  unary: (method, signal, limitMs, headers, input, context) => {
    noteCall(method);
    return calls.unary(method, signal, limitMs ?? limitOf(method, input), headers, input, context);
  },
};

/** Returns the time limit of a call. A photo takes long over a slow connection, so its upload has none. */
function limitOf<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
): number | undefined {
  const carriesFile = method.input.fields.some(
    ({ name, localName }) =>
      name.endsWith("_base64") && Boolean((input as Readonly<Record<string, unknown>>)[localName]),
  );
  return carriesFile ? NO_LIMIT : undefined;
}
