import { aimKey, identifyKey } from "@followspot/contract";
import type { Light } from "@followspot/contract/lights";
import { useEffect } from "react";
import { shownValue } from "../desk/desk-connection.ts";
import { ownerText } from "../desk/desk-button.tsx";
import { forgetRefusal, press, useDesk } from "../desk/use-desk.ts";
import { useOutputTrouble } from "../outputs/use-output-trouble.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { showToast } from "../ui/toast.tsx";
import { patchStrings as text } from "./patch.strings.ts";

/**
 * Blinks one fixture for ten seconds, or until the next press. All consoles show the state. For a fixture with pan or tilt, opens
 * the aim dialog instead.
 */
export function IdentifyButton({ light, onAim }: { readonly light: Light; readonly onAim: () => void }) {
  const view = useDesk();
  const obstacle = useObstacle();
  const isMover = view.state?.movers?.includes(light.id) ?? false;
  const control = isMover ? aimKey(light.id) : identifyKey(light.id);
  const isOn = shownValue(view, control) !== undefined;
  const owner = ownerText(view, control);
  const title = owner ? (isMover ? text.aiming(owner) : text.identifying(owner)) : undefined;
  return (
    <Button
      aria-pressed={isOn}
      aria-describedby={rowTitleId(String(light.id))}
      aria-description={title}
      title={title}
      className={cx(isOn && "border-accent! text-accent!")}
      onClick={() => {
        if (isMover) return onAim();
        press(control, isOn ? null : true);
        if (obstacle && !isOn) showToast(obstacle, { bad: true });
      }}
    >
      {text.identify}
    </Button>
  );
}

/** Returns why a fixture stays dark after an accepted press (output fault or blackout); undefined if nothing blocks it. */
export function useObstacle(): string | undefined {
  const { state } = useDesk();
  const trouble = useOutputTrouble(state?.outputs === 0);
  if (!state) return undefined;
  return trouble ?? ("blackout" in state.hands ? text.blackoutOn : undefined);
}

/** Shows a toast when the stage rejects a press from this page. */
export function IdentifyRefusals() {
  const { refusal } = useDesk();
  useEffect(() => {
    if (refusal === undefined) return;
    showToast(text.notTaken(refusal), { bad: true });
    forgetRefusal();
  }, [refusal]);
  return null;
}
