import { DirectorService } from "@followspot/contract/director";
import type { Presses } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";
import { Block, PressButton } from "./press-button.tsx";

/** Switch for the live stage picture behind the text of the screen. */
export function LampsBlock({ isShown, presses }: { readonly isShown: boolean; readonly presses: Presses }) {
  const label = isShown ? text.hideLamps : text.showLamps;
  return (
    <Block title={text.lamps}>
      <p className="text-muted">{isShown ? text.lampsOn : text.lampsOff}</p>
      <PressButton
        name="lamps"
        label={label}
        presses={presses}
        onPress={() => presses.press("lamps", DirectorService.method.showLamps, { shown: !isShown })}
      >
        {label}
      </PressButton>
    </Block>
  );
}
