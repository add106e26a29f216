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
 * Blinks one lamp for ten seconds, or until it is pressed again; all consoles see it, whichever presses it. A lamp with pan or
 * tilt is lit and aimed instead.
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

/** Why the lamp is not seen, though the press counts. */
export function useObstacle(): string | undefined {
  const { state } = useDesk();
  const trouble = useOutputTrouble(state?.outputs === 0);
  if (!state) return undefined;
  return trouble ?? ("blackout" in state.hands ? text.blackoutOn : undefined);
}

/** Says why a press of this page was not taken. */
export function IdentifyRefusals() {
  const { refusal } = useDesk();
  useEffect(() => {
    if (refusal === undefined) return;
    showToast(text.notTaken(refusal), { bad: true });
    forgetRefusal();
  }, [refusal]);
  return null;
}
