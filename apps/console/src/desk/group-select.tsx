import type { DeskGroup } from "@followspot/contract";
import { Options } from "../ui/options.tsx";

/** Selects the target of a press: one group, or all fixtures. */
export function GroupSelect({
  label,
  all,
  groups,
  value,
  onGroup,
}: {
  readonly label: string;
  readonly all: string;
  readonly groups: readonly DeskGroup[];
  /** ID of the group; "" for all. */
  readonly value: string;
  readonly onGroup: (id: string) => void;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onGroup(target.value)}
      className="min-h-11 min-w-0 flex-1 truncate rounded-lg border bg-bg px-2 text-base text-fg"
    >
      <option value="">{all}</option>
      <Options of={groups.map(({ id, name }) => [id, name])} />
    </select>
  );
}
