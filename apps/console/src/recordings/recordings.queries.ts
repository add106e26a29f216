import { useQuery } from "@connectrpc/connect-query";
import { RecordingService } from "@followspot/contract/recording";
import { useMutation } from "@tanstack/react-query";
import { useChange } from "../lib/list-refresh.ts";

const rpc = RecordingService.method;

/** Polls the recordings and the current replay, because durations grow and replays end without an event. */
export const useRecordings = (everyMs: number) => useQuery(rpc.listRecordings, {}, { refetchInterval: everyMs });

/** Actions on recordings, each with its own pending state. */
export function useRecordingCalls() {
  const change = useChange({ method: rpc.listRecordings });
  return {
    start: useMutation({ mutationFn: (name: string) => change(rpc.startRecording, { name }) }),
    stop: useMutation({ mutationFn: () => change(rpc.stopRecording, {}) }),
    startReplay: useMutation({ mutationFn: (id: string) => change(rpc.startReplay, { id }) }),
    stopReplay: useMutation({ mutationFn: () => change(rpc.stopReplay, {}) }),
    remove: (id: string) => change(rpc.deleteRecording, { id }),
  };
}
