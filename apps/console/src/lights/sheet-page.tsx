import "./sheet.css";
import type { Light, LightGroup } from "@followspot/contract/lights";
import { rangeInWords } from "@followspot/lighting";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Download } from "lucide-react";
import { useState } from "react";
import { useUsedTypes } from "../fixtures/fixtures.queries.ts";
import { dateTime } from "../lib/formatting.ts";
import { csvHead, csvLines } from "../lib/list-csv.ts";
import { useListScreen, type ListView } from "../lib/use-list-screen.ts";
import { useWholeList } from "../lib/use-whole-list.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { PrintPage } from "../ui/print-page.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { DipSwitches, dipOf } from "./dip-switches.tsx";
import { GROUPS, LIGHTS } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";
import { patchStrings } from "./patch.strings.ts";
import { universesOf } from "./universe-slots.ts";

const text = patchStrings.sheet;

/** Row of the patch sheet. */
interface SheetRow {
  readonly id: number;
  readonly universe: number;
  readonly address: number;
  readonly range: string;
  readonly fixture: string;
  readonly mode: string;
  readonly name: string;
  readonly group: string;
  readonly position: string;
}

/** Printable patch sheet with address, DIP switches and position of every fixture, for use while rigging. */
export function SheetPage() {
  const list = useListScreen(LIGHTS, [{}, () => undefined]);
  const { rows: lights, isWhole } = useWholeList(LIGHTS);
  const groups = useWholeList(GROUPS).rows;
  const types = useUsedTypes();
  const rows = sheetRows(lights, groups, new Map(types.map(({ key, name }) => [key, name])));
  return (
    <PrintPage
      title={text.title}
      back={
        <Link to="/lights" className={buttonClass({ variant: "ghost" })}>
          <ArrowLeft aria-hidden size={14} /> {text.back}
        </Link>
      }
      tools={
        <Button disabled={!isWhole || rows.length === 0} onClick={() => download(rows)}>
          <Download aria-hidden size={14} /> {text.csv}
        </Button>
      }
      isReady={isWhole && rows.length > 0}
    >
      <Body list={list} rows={rows} />
    </PrintPage>
  );
}

function Body({ list, rows }: { readonly list: ListView<Light>; readonly rows: readonly SheetRow[] }) {
  const [now] = useState(() => new Date());
  if (list.phase === "failed") return <ErrorState prefix={text.loadError} error={list.error} onRetry={list.retry} />;
  if (list.phase === "loading") return <Loading />;
  if (rows.length === 0) return <EmptyState text={text.empty} />;
  return (
    <div className="print-sheet patch-sheet">
      <p className="print-sheet-note">
        {text.made(dateTime(now))}. {text.note}
      </p>
      {universesOf(rows).map((universe) => (
        <section key={universe} aria-label={patchStrings.universe(universe)}>
          <h2>{patchStrings.universe(universe)}</h2>
          <table>
            <thead>
              <tr>
                {(["address", "dip", "name", "fixture", "mode", "group", "position"] as const).map((column) => (
                  <th key={column} scope="col">
                    {text.columns[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows
                .filter((row) => row.universe === universe)
                .map((row) => (
                  <tr key={row.id}>
                    <td className="patch-sheet-address">
                      <b>{row.address}</b> <span>{row.range}</span>
                    </td>
                    <td>
                      <DipSwitches address={row.address} />
                    </td>
                    <th scope="row">{row.name}</th>
                    <td data-head={text.columns.fixture}>{row.fixture}</td>
                    <td data-head={text.columns.mode}>{row.mode}</td>
                    <td data-head={text.columns.group}>{row.group}</td>
                    <td data-head={text.columns.position}>{row.position}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  );
}

function sheetRows(
  lights: readonly Light[],
  groups: readonly LightGroup[],
  types: ReadonlyMap<string, string>,
): readonly SheetRow[] {
  const names = new Map(groups.map(({ id, name }) => [id, name || id]));
  return lights
    .map((light) => ({
      id: light.id,
      universe: light.universe,
      address: light.dmxAddress,
      range: rangeInWords({ address: light.dmxAddress, channelCount: light.channelCount }),
      fixture: types.get(light.lightType) ?? light.lightType,
      mode: light.mode,
      name: `${light.label || lightStrings.noLabel}${light.enabled ? "" : ` (${text.off})`}`,
      group: light.groups.map((id) => names.get(id) ?? id).join(", "),
      position: positionOf(light),
    }))
    .toSorted((a, b) => a.universe - b.universe || a.address - b.address);
}

function positionOf({ position, pose }: Light): string {
  const place = pose ? text.place(pose.x, pose.y, pose.z) : "";
  return [position, place].filter(Boolean).join(" · ");
}

const COLUMNS = [
  { head: text.columns.universe, csv: (row: SheetRow) => row.universe },
  { head: text.columns.address, csv: (row: SheetRow) => row.address },
  { head: text.columns.dip, csv: (row: SheetRow) => onSwitches(row.address) },
  { head: text.columns.fixture, csv: (row: SheetRow) => row.fixture },
  { head: text.columns.mode, csv: (row: SheetRow) => row.mode },
  { head: text.columns.name, csv: (row: SheetRow) => row.name },
  { head: text.columns.group, csv: (row: SheetRow) => row.group },
  { head: text.columns.position, csv: (row: SheetRow) => row.position },
];

/** Returns the numbers of the switches that are on, for example "1 3 4". */
const onSwitches = (address: number): string =>
  dipOf(address)
    .flatMap((isOn, i) => (isOn ? [String(i + 1)] : []))
    .join(" ");

function download(rows: readonly SheetRow[]): void {
  const blob = new Blob([csvHead(COLUMNS), csvLines(COLUMNS, rows)], { type: "text/csv" });
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: "patch-sheet.csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
