import { useMutation, useQuery } from "@connectrpc/connect-query";
import { FirstStepsService } from "@followspot/contract/firststeps";
import { NightService } from "@followspot/contract/night";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
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
    {
      enabled: useCan()(rpc.getFirstSteps),
      refetchInterval: ({ state }) => (isUnderWay(state.data?.demoNight?.state) ? WATCH_MS : LOOK_MS),
    },
  );

/** While it is not known whether there are any. */
export const useAreFirstStepsComing = () => useAnswer().isLoading;

/** The first steps, for those who may take them. What needs attention is looked at anew once one of them is done. */
export function useFirstSteps() {
  const cache = useQueryClient();
  const steps = useAnswer();
  const { data } = steps;
  const stand = data && [data.demoNight?.state, ...data.steps.map(({ isDone }) => isDone)].join();
  useEffect(() => {
    if (stand !== undefined) void cache.invalidateQueries({ queryKey: methodKey(NightService.method.checkPreflight) });
  }, [cache, stand]);
  return steps;
}

const isUnderWay = (state: string | undefined) => state === "making" || state === "removing";

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
