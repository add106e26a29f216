import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { callUnaryMethod, useMutation, useTransport } from "@connectrpc/connect-query";
import { NightService } from "@followspot/contract/night";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { methodKey } from "../lib/list-source.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";

const rpc = NightService.method;
/** Refetch interval, ms. Short, so that users who fix things in the hall see the result soon. */
const LOOK_MS = 5000;

/**
 * Says what this machine's clock says each time, so that the server can tell how far apart both are.
 * @param everyMs how often it is looked again
 */
export function usePreflight({ isAllowed = true, everyMs = LOOK_MS } = {}) {
  const transport = useTransport();
  return useQuery({
    queryKey: methodKey(rpc.checkPreflight),
    queryFn: ({ signal }) =>
      callUnaryMethod(transport, rpc.checkPreflight, { clientTime: timestampFromMs(Date.now()) }, { signal }),
    refetchInterval: everyMs,
    staleTime: 0,
    enabled: isAllowed,
  });
}

export function useLampWalk() {
  const cache = useQueryClient();
  const settled = {
    onError: sayWhy,
    onSettled: () => cache.invalidateQueries({ queryKey: methodKey(rpc.checkPreflight) }),
  };
  return { note: useMutation(rpc.noteLampSeen, settled), forget: useMutation(rpc.forgetLampsSeen, settled) };
}
