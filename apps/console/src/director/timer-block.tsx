import { DirectorService } from "@followspot/contract/director";
import type { Presses } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";
import { Block, PressButton } from "./press-button.tsx";

const MINUTES = [1, 3, 5, 10] as const;

/** Buttons for countdowns of common lengths. */
export function TimerBlock({ presses }: { readonly presses: Presses }) {
  return (
    <Block title={text.timer}>
      <div className="grid grid-cols-4 gap-2">
        {MINUTES.map((minutes) => (
          <PressButton
            key={minutes}
            name={`timer ${minutes}`}
            presses={presses}
            className="px-1"
            onPress={() =>
              presses.press(`timer ${minutes}`, DirectorService.method.startTimer, { seconds: minutes * 60 })
            }
          >
            {text.minutes(minutes)}
          </PressButton>
        ))}
      </div>
    </Block>
  );
}
