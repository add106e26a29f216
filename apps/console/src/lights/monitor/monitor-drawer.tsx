import { UNIVERSE_SLOTS, type Rig } from "@followspot/contract";
import { Copy, Pause, Play } from "lucide-react";
import { useMemo, useState } from "react";
import type { LampsSeen } from "../../lamps/use-lamps.ts";
import { useStageRig } from "../../lamps/rig.queries.ts";
import { lampFeed, useLamps } from "../../lamps/use-lamps.ts";
import { fixtureStrings } from "../../fixtures/fixtures.strings.ts";
import { troubleOf } from "../../outputs/output-truth.ts";
import { useOutputHealth, useOutputs } from "../../outputs/outputs.queries.ts";
import { Button } from "../../ui/button.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Options } from "../../ui/options.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ownersOf, slotsAround, type ChannelOwner } from "./monitor-cells.ts";
import { MonitorGrid, ROW } from "./monitor-grid.tsx";
import { monitorStrings as text } from "./monitor.strings.ts";

const HEALTH_EVERY_MS = 2000;
const NO_RIG: Rig = { lights: [], groups: [] };

/** DMX monitor: the 512 channel values of a universe, as sent to the output. */
export function MonitorDrawer({
  universe: first,
  patched,
  onClose,
}: {
  readonly universe: number;
  /** Universes that have patched lights. */
  readonly patched: readonly number[];
  readonly onClose: () => void;
}) {
  const view = useLamps();
  const rig = useStageRig().data ?? NO_RIG;
  const outputs = useOutputs().data?.outputs ?? [];
  const health = useOutputHealth(HEALTH_EVERY_MS).data?.outputs ?? [];
  const [universe, setUniverse] = useState(first);
  /** Values at the time Pause was pressed; undefined while the monitor is live. */
  const [frozen, setFrozen] = useState<Uint8Array>();
  const [slot, setSlot] = useState(0);
  const [table, setTable] = useState<readonly TableRow[]>();
  const owners = useMemo(() => ownersOf(rig, universe), [rig, universe]);
  const universes = [...new Set([first, ...patched, ...outputs.map((output) => output.universe)])].toSorted((a, b) => a - b); // prettier-ignore
  const here = outputs.filter((output) => output.universe === universe);
  const troubles = here.flatMap(
    (output) =>
      troubleOf(
        output,
        health.find(({ id }) => id === output.id),
      ) ?? [],
  );
  const notice = noticeOf(view, universe);
  const rowsOf = (slots: readonly number[]) =>
    slots.map((each) => rowOf(each, (frozen ?? valuesOf(universe))[each]!, owners[each]));
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(asText(rowsOf([...owners.keys()])));
      showToast(text.copied(universe));
    } catch {
      // Browsers provide no clipboard API over plain HTTP.
      showToast(text.copyFailed, { bad: true });
    }
  };
  return (
    <Drawer
      wide
      title={text.title}
      onClose={onClose}
      above={
        <div className="flex shrink-0 flex-wrap items-end gap-2 border-b px-4 py-2">
          <SelectField
            label={text.universe}
            value={universe}
            onChange={({ target }) => {
              setUniverse(Number(target.value));
              setFrozen(undefined);
              setTable(undefined);
            }}
          >
            <Options of={universes.map((each) => [String(each), text.option(each)])} />
          </SelectField>
          <Button
            large
            aria-pressed={frozen !== undefined}
            onClick={() => setFrozen(frozen ? undefined : valuesOf(universe).slice())}
          >
            {frozen ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}
            {frozen ? text.goOn : text.pause}
          </Button>
          <Button large onClick={() => void copy()}>
            <Copy aria-hidden size={14} /> {text.copy}
          </Button>
          <Button
            large
            aria-expanded={table !== undefined}
            onClick={() => setTable(table ? undefined : rowsOf(slotsAround(owners, slot, ROW)))}
          >
            {table ? text.closeTable : text.table}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-3 px-4 py-3">
        <p role="status" className="text-xs wrap-anywhere text-muted">
          {notice ? <span className="text-warn">{notice}</span> : text.source(universe)}
          {frozen && ` ${text.paused}`}
        </p>
        {troubles.length > 0 && <p className="text-xs wrap-anywhere text-danger">{troubles.join(" ")}</p>}
        {table && <ValueTable rows={table} />}
        <MonitorGrid universe={universe} owners={owners} frozen={frozen} onActive={setSlot} />
      </div>
    </Drawer>
  );
}

/** Returns why the universe is not being sent or shown; undefined while it is sent. */
function noticeOf(
  { connection, isSending, isPreview, universes = [] }: LampsSeen,
  universe: number,
): string | undefined {
  if (connection === "connecting") return text.connecting;
  if (connection === "lost" || connection === "ended" || connection === "away") return text[connection];
  if (!universes.includes(universe)) return text.noOutput(universe);
  if (isPreview) return text.unsent;
  return isSending ? undefined : text.silent;
}

interface TableRow {
  readonly channel: number;
  readonly value: number;
  readonly label: string;
  readonly kind: string;
}

const NOTHING = new Uint8Array(UNIVERSE_SLOTS);
const valuesOf = (universe: number): Uint8Array => lampFeed.universes.get(universe) ?? NOTHING;

const rowOf = (slot: number, value: number, owner: ChannelOwner | undefined): TableRow => ({
  channel: slot + 1,
  value,
  label: owner?.label ?? "",
  kind: owner ? fixtureStrings.channel(owner.kind) : "",
});

const asText = (rows: readonly TableRow[]): string =>
  [
    Object.values(text.columns).join("\t"),
    ...rows.map(({ channel, value, label, kind }) => [channel, value, label, kind].join("\t")),
  ].join("\n");

/** Table with the values of one fixture or grid row at the time the table was opened. */
function ValueTable({ rows }: { readonly rows: readonly TableRow[] }) {
  const [first] = rows;
  const name = first?.label || text.channels(first?.channel ?? 1, rows.at(-1)?.channel ?? 1);
  return (
    <table className="w-full text-left text-xs tabular-nums">
      <caption className="pb-1 text-left font-medium">{text.tableOf(name)}</caption>
      <thead className="text-muted">
        <tr>
          {Object.entries(text.columns).map(([key, words]) => (
            <th key={key} scope="col" className="border-b py-1 pr-3 font-medium">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ channel, value, label, kind }) => (
          <tr key={channel}>
            <th scope="row" className="py-0.5 pr-3 font-normal">
              {channel}
            </th>
            <td className="pr-3">{value}</td>
            <td className="pr-3 wrap-anywhere">{label}</td>
            <td>{kind}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
