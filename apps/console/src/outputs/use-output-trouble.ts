import { NO_OUTPUT_ON } from "@followspot/contract";
import { LightsService } from "@followspot/contract/lights";
import { useCan } from "../auth/can.ts";
import { troublesOf } from "./output-truth.ts";
import { useOutputHealth, useOutputs } from "./outputs.queries.ts";

const rpc = LightsService.method;
/** Polling interval while no fixture is reached, ms. */
const HEALTH_EVERY_MS = 5000;

/**
 * Returns why no fixture is reached, in the words of the outputs; polled only while that is so. Without an answer or
 * permission, it reports that no output is on.
 */
export function useOutputTrouble(isUnheard: boolean): string | undefined {
  const can = useCan();
  const mayAsk = isUnheard && can(rpc.listOutputs) && can(rpc.getOutputHealth);
  const outputs = useOutputs(mayAsk).data?.outputs.filter(({ enabled }) => enabled) ?? [];
  const health = useOutputHealth(HEALTH_EVERY_MS, mayAsk).data?.outputs ?? [];
  if (!isUnheard) return undefined;
  return troublesOf(outputs, health).join(" ") || NO_OUTPUT_ON;
}
