import { useMutation, useQuery } from "@connectrpc/connect-query";
import { FirstStepsService, type GetFirstStepsResponse } from "@followspot/contract/firststeps";
import { NightService } from "@followspot/contract/night";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useCan } from "../auth/can.ts";
import { methodKey } from "../lib/list-source.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";

const rpc = FirstStepsService.method;
/** Steps tick while other screens are used; what is being made is watched closely. */
const LOOK_MS = 10_000;
const WATCH_MS = 500;

const useAnswer = () =>
  useQuery(
    rpc.getFirstSteps,
    {},
    { enabled: useCan()(rpc.getFirstSteps), refetchInterval: ({ state }) => lookAgainMs(state.data) },
  );

/** Not again where nothing is left to show. */
function lookAgainMs(answer: GetFirstStepsResponse | undefined): number | false {
  const demo = answer?.demoNight?.state ?? "none";
  if (demo === "making" || demo === "removing") return WATCH_MS;
  const isOver = answer && demo === "none" && (answer.isHidden || answer.steps.every(({ isDone }) => isDone));
  return isOver ? false : LOOK_MS;
}

/** While it is not known whether there are any. */
export const useAreFirstStepsComing = () => useAnswer().isLoading;

/** The first steps, for those who may take them. What needs attention is looked at anew once one of them changes. */
export function useFirstSteps() {
  const cache = useQueryClient();
  const steps = useAnswer();
  const { data } = steps;
  const stand = data && [data.demoNight?.state, ...data.steps.map(({ isDone }) => isDone)].join();
  const before = useRef(stand);
  useEffect(() => {
    const isNews = before.current !== undefined && before.current !== stand;
    before.current = stand;
    if (isNews) void cache.invalidateQueries({ queryKey: methodKey(NightService.method.checkPreflight) });
  }, [cache, stand]);
  return steps;
}

/** What an Admin does with them. The answer of each is on the page once the steps were read again. */
export function useFirstStepsActions() {
  const cache = useQueryClient();
  const settled = {
    onError: sayWhy,
    onSettled: () => cache.invalidateQueries({ queryKey: methodKey(rpc.getFirstSteps) }),
  };
  return {
    hide: useMutation(rpc.hideFirstSteps, settled),
    make: useMutation(rpc.makeDemoNight, settled),
    remove: useMutation(rpc.removeDemoNight, settled),
  };
}
