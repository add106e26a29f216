import { useQuery } from "@connectrpc/connect-query";
import { LightsService, type GetOutputHealthResponse, type Output } from "@followspot/contract/lights";
import { useMutation } from "@tanstack/react-query";
import { useChange } from "../lib/list-refresh.ts";
import { toOutput, type OutputFields } from "./output-fields.ts";

const rpc = LightsService.method;
const OUTPUTS = { method: rpc.listOutputs };
const HEALTH = { method: rpc.getOutputHealth };

export const useOutputs = (isAllowed = true) => useQuery(rpc.listOutputs, {}, { enabled: isAllowed });

/** Polls the state of the outputs. While the stage is unreachable, its last report remains. */
export const useOutputHealth = (everyMs: number, wanted = true) =>
  useQuery(rpc.getOutputHealth, {}, { enabled: wanted, refetchInterval: everyMs, retry: false });

export type { GetOutputHealthResponse as Health };

/** Adds an output, or changes one; refused if it has changed since `existing` was read. */
export function useSaveOutput(existing: Output | undefined) {
  const change = useChange(OUTPUTS, HEALTH);
  return useMutation({
    mutationFn: async (fields: OutputFields) => {
      const output = toOutput(fields, existing);
      if (!existing) await change(rpc.createOutput, { output });
      else await change(rpc.updateOutput, { output, ...(existing.updatedAt && { ifUpdatedAt: existing.updatedAt }) });
    },
  });
}

/** Enables or disables an output. */
export function useToggleOutput() {
  const change = useChange(OUTPUTS, HEALTH);
  return useMutation({
    mutationFn: (output: Output) =>
      change(rpc.updateOutput, {
        output: { ...output, enabled: !output.enabled },
        ...(output.updatedAt && { ifUpdatedAt: output.updatedAt }),
      }),
  });
}

export function useFindNodes() {
  const change = useChange(HEALTH);
  return useMutation({ mutationFn: () => change(rpc.findNodes, {}) });
}

/** Tests an output. Resolves when the test is over, or at once if the fixtures have a holder. */
export function useTestOutput() {
  const change = useChange(HEALTH);
  return useMutation({
    mutationFn: (order: { readonly id: string; readonly takeOver: boolean }) => change(rpc.testOutput, order),
  });
}

/** Returns the calls for an output as a whole. */
export function useOutputCalls() {
  const change = useChange(OUTPUTS, HEALTH);
  return {
    create: async (output: Output) => (await change(rpc.createOutput, { output })).output,
    /** Refused if the output has changed since it was read. */
    update: async (output: Output) => {
      const { updatedAt } = output;
      return (await change(rpc.updateOutput, { output, ...(updatedAt && { ifUpdatedAt: updatedAt }) })).output;
    },
    remove: ({ id }: Pick<Output, "id">) => change(rpc.deleteOutput, { id }),
  };
}
