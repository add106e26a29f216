import { Button } from "../ui/button.tsx";
import { PeoplePicker } from "../ui/people-picker.tsx";
import { SPEAKERS } from "./talk.queries.ts";
import { talkStrings } from "./talk.strings.ts";

const text = talkStrings.speaker;

export interface Speaker {
  readonly id: string;
  readonly name: string;
}

/** Who speaks: found by name, or taken away again. */
export function SpeakerField({
  speaker,
  onChange,
}: {
  readonly speaker: Speaker | null;
  readonly onChange: (speaker: Speaker | null) => void;
}) {
  if (!speaker)
    return (
      <PeoplePicker
        isFolded
        source={SPEAKERS}
        text={text}
        except={[]}
        onChoose={({ id, name }) => onChange({ id, name })}
      />
    );
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs font-medium">{text.label}</p>
      <div className="flex items-center justify-between gap-3 rounded-md border py-1 pr-1 pl-2">
        <span className="min-w-0 wrap-anywhere">{speaker.name}</span>
        <Button onClick={() => onChange(null)}>{text.remove}</Button>
      </div>
    </div>
  );
}
