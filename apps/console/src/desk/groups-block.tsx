import { deskKey, type DeskGroup } from "@followspot/contract";
import { DeskButton } from "./desk-button.tsx";
import { shownValue, type DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";
import { press } from "./use-desk.ts";

/** Mute and solo buttons of each group. */
export function GroupsBlock({ view, groups }: { readonly view: DeskView; readonly groups: readonly DeskGroup[] }) {
  return (
    <section aria-label={text.groups} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-semibold text-muted">{text.groups}</h2>
      {view.state?.groups?.length === 0 && <p className="text-sm text-muted">{text.noGroups}</p>}
      {groups.map(({ id, name }) => (
        <div key={id} className="grid grid-cols-[minmax(0,1fr)_5.5rem_5.5rem] items-center gap-2">
          <span className="truncate text-base" title={name}>
            {name}
          </span>
          <Switch view={view} control={deskKey("mute", id)} label={text.muteOf(name)} text={text.mute} />
          <Switch view={view} control={deskKey("solo", id)} label={text.soloOf(name)} text={text.solo} />
        </div>
      ))}
    </section>
  );
}

function Switch({
  view,
  control,
  label,
  text: words,
}: {
  readonly view: DeskView;
  readonly control: string;
  readonly label: string;
  readonly text: string;
}) {
  const isOn = shownValue(view, control) !== undefined;
  return (
    <DeskButton view={view} control={control} label={label} onDown={() => press(control, isOn ? null : true)}>
      {words}
    </DeskButton>
  );
}
