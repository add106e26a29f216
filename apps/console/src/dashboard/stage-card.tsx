import { LightsService } from "@followspot/contract/lights";
import { useCan } from "../auth/can.ts";
import { errorText } from "../lib/errors.ts";
import { troublesOf } from "../outputs/output-truth.ts";
import { useOutputHealth, useOutputs, type Health } from "../outputs/outputs.queries.ts";
import { Status, type Tone } from "../ui/status.tsx";
import { dashboardStrings } from "./dashboard.strings.ts";
import { NumberCard } from "./number-card.tsx";

const rpc = LightsService.method;
const text = dashboardStrings.stage;
const HEALTH_MS = 5000;

/** How fast and how late frames leave for the lamps, and whether every output takes them; leads to the outputs. */
export function StageCard() {
  const can = useCan();
  const mayKnow = can(rpc.getOutputHealth) && can(rpc.listOutputs);
  const on = useOutputs(mayKnow).data?.outputs.filter(({ enabled }) => enabled);
  const health = useOutputHealth(HEALTH_MS, mayKnow);
  if (!mayKnow) return null;
  const data = health.isError || on === undefined ? undefined : health.data;
  const [trouble] = troublesOf(on ?? [], data?.outputs ?? []);
  const outputs = on?.length ?? 0;
  return (
    <NumberCard
      to="/lights"
      search={{ open: "outputs" }}
      title={text.title}
      value={data && Math.round(10 * data.rateHz) / 10}
      unit="Hz"
      failed={health.error && `${text.loadError}: ${errorText(health.error)}`}
      caption={data && (trouble ?? captionOf(data, outputs))}
      beside={data && <StageState health={data} outputs={outputs} />}
    />
  );
}

function captionOf({ sending, lateP95Ms }: Health, outputs: number): string {
  return sending ? text.sending(outputs, lateP95Ms) : text.outputs(outputs);
}

function StageState({ health, outputs }: { readonly health: Health; readonly outputs: number }) {
  const down = health.outputs.filter(({ state }) => state === "down").length;
  const [tone, word] = stateOf(down, outputs, health.sending);
  return <Status tone={tone}>{word}</Status>;
}

function stateOf(down: number, outputs: number, isSending: boolean): readonly [Tone, string] {
  if (outputs === 0) return ["off", text.none];
  if (down > 0) return ["bad", text.down(down)];
  return isSending ? ["ok", text.on] : ["off", text.silent];
}
