import { LightsService } from "@followspot/contract/lights";
import { useCan } from "../auth/can.ts";
import { Button } from "../ui/button.tsx";
import { Status, type Tone } from "../ui/status.tsx";
import { useOutputHealth, useOutputs } from "./outputs.queries.ts";
import { outputStrings as text } from "./outputs.strings.ts";

const rpc = LightsService.method;
/** Polling interval while only the button is visible, ms. */
const HEALTH_EVERY_MS = 10_000;

/** Button that opens the outputs and shows when one needs attention. */
export function OutputsButton({ onOpen }: { readonly onOpen: () => void }) {
  const can = useCan();
  const outputs = useOutputs().data?.outputs;
  const health = useOutputHealth(HEALTH_EVERY_MS, can(rpc.getOutputHealth) && (outputs?.length ?? 0) > 0);
  const down = health.data?.outputs.filter(({ state }) => state === "down").length ?? 0;
  const note = noteOn(outputs?.length === 0, health.isError, down);
  return (
    <Button onClick={onOpen}>
      {text.button}
      {note && (
        <span className="text-xs text-muted">
          <Status tone={note[0]}>{note[1]}</Status>
        </span>
      )}
    </Button>
  );
}

function noteOn(isNoneYet: boolean, isUnanswered: boolean, down: number): [Tone, string] | undefined {
  if (isNoneYet) return ["wait", text.noneYet];
  if (isUnanswered) return ["bad", text.noAnswer];
  return down > 0 ? ["bad", text.down(down)] : undefined;
}
