import { AuditService } from "@followspot/contract/audit";
import { LightsService, type Light } from "@followspot/contract/lights";
import { Plus } from "lucide-react";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { auditStrings } from "../audit/audit.strings.ts";
import { HistoryDrawer } from "../audit/history-drawer.tsx";
import { useCan } from "../auth/can.ts";
import { density, rowHeightAt } from "../lib/density.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { fixtureStrings } from "../fixtures/fixtures.strings.ts";
import { strings } from "../lib/strings.ts";
import { useListScreen, useUrlSearch } from "../lib/use-list-screen.ts";
import { useWholeList } from "../lib/use-whole-list.ts";
import { OutputsButton } from "../outputs/outputs-button.tsx";
import { OutputsDrawer } from "../outputs/outputs-drawer.tsx";
import { LiveStage } from "../lamps/live-stage.tsx";
import { Button } from "../ui/button.tsx";
import { DeleteDialog } from "../ui/delete-dialog.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { DragOrder } from "../ui/drag-order.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { Menu } from "../ui/menu.tsx";
import { RowActions } from "../ui/row-parts.tsx";
import { forecastDelete, forecastOrder, refusedMoves, type AddressMove } from "./address-moves.ts";
import { movesInWords } from "./address-notes.tsx";
import { ChosenLight, LightRow, showRow } from "./chosen-light.tsx";
import { editSeveralStrings as editText } from "./edit-several.strings.ts";
import { GroupDialog } from "./group-dialog.tsx";
import { GroupsSection } from "./groups-section.tsx";
import { IdentifyButton, IdentifyRefusals } from "./identify-button.tsx";
import { lightColumns } from "./light-columns.tsx";
import { LightDialog } from "./light-dialog.tsx";
import { inOrder } from "./light-rules.ts";
import { GROUPS, LIGHTS, useLightCalls, useReorderLights, useSeveralCalls } from "./lights.queries.ts";
import { lightStrings as text } from "./lights.strings.ts";
import { monitorStrings } from "./monitor/monitor.strings.ts";
import { patchStrings } from "./patch.strings.ts";
import { ReorderBanner } from "./reorder-banner.tsx";
import { UniversePanel } from "./universe-panel.tsx";
import { overlaps, toSlotLight, universesOf } from "./universe-slots.ts";
import { darkStrings } from "./why-dark/why-dark.strings.ts";

const rpc = LightsService.method;
/** Loaded on demand, because it pulls in the fixture schemas. */
const FixturesDrawer = lazyPart(() => import("../fixtures/fixtures-drawer.tsx"), "FixturesDrawer");
const AimDialog = lazyPart(() => import("./aim-dialog.tsx"), "AimDialog");
const EditSeveralDialog = lazyPart(() => import("./edit-several-dialog.tsx"), "EditSeveralDialog");
const DeleteSeveralDialog = lazyPart(() => import("./delete-several-dialog.tsx"), "DeleteSeveralDialog");
const SeveralDialog = lazyPart(() => import("./several-dialog.tsx"), "SeveralDialog");
const PlanDialog = lazyPart(() => import("./places/plan-dialog.tsx"), "PlanDialog");
const MonitorDrawer = lazyPart(() => import("./monitor/monitor-drawer.tsx"), "MonitorDrawer");
const WhyDarkDrawer = lazyPart(() => import("./why-dark/why-dark-drawer.tsx"), "WhyDarkDrawer");
const ImportDialog = lazyPart(() => import("./import-dialog.tsx"), "ImportDialog");
const ROW_PX = 44;

export function LightsPage() {
  const can = useCan();
  const read = useListScreen(LIGHTS, useUrlSearch());
  const whole = useWholeList(LIGHTS);
  const groups = useWholeList(GROUPS).rows;
  const reorder = useReorderLights();
  const calls = useLightCalls();
  const { restore } = useSeveralCalls();
  const isOwnOrder = !read.isFiltered && read.sort === undefined;
  /** New order awaiting confirmation, because it readdresses lights. */
  const [asking, setAsking] = useState<{ readonly ids: readonly number[]; readonly moves: readonly AddressMove[] }>();
  const saveOrder = (ids: readonly number[], moves: readonly AddressMove[]) =>
    reorder.mutate(
      { ids, moves },
      {
        onError: (error) => {
          const now = refusedMoves(error);
          if (now) setAsking({ ids, moves: now });
        },
      },
    );
  const order = (ids: readonly number[]) => {
    const { moves } = forecastOrder(whole.rows, ids);
    if (moves.length > 0) setAsking({ ids, moves });
    else saveOrder(ids, []);
  };
  // Show the new order until the server's order is loaded, so that an intermediate refetch cannot revert it.
  const moving = asking?.ids ?? (reorder.isPending ? reorder.variables.ids : undefined);
  const rows = useMemo(() => (moving ? inOrder(read.rows, moving) : read.rows), [moving, read.rows]);
  const movable = useMemo(() => rows.map(({ id, label }) => ({ id, name: label || text.noLabel })), [rows]);
  const list = { ...read, rows };
  const places = useMemo(() => new Map(whole.rows.map(({ id }, index) => [id, index + 1])), [whole.rows]);
  const { dialog, open, close } = list;
  const shown = dialog?.row;
  const [chosen, choose] = useChosen(whole.rows);
  const [wantedUniverse, setUniverse] = useState<number>();
  const universes = universesOf(whole.rows);
  const universe = wantedUniverse !== undefined && universes.includes(wantedUniverse) ? wantedUniverse : universes[0]!;
  /** Universe requested for the DMX monitor; undefined for the universe on screen. */
  const [monitored, setMonitored] = useState<number>();
  const problems = useMemo(() => overlapsOf(whole.rows), [whole.rows]);
  const marked = whole.rows.find(({ id }) => id === chosen);
  const mark = (id: number) => {
    choose(id);
    setUniverse(whole.rows.find((light) => light.id === id)?.universe);
  };
  /** Pending bulk action on the checked lights. */
  const [several, setSeveral] = useState<Several>();
  const doToAll = (what: Several["what"]) => (lights: readonly Light[], clear: () => void) =>
    setSeveral({ what, lights, clear });
  const bulk = [
    ...(can(rpc.editLights) ? [{ label: editText.open, withAll: doToAll("edit") }] : []),
    ...(can(rpc.deleteLights) ? [{ label: strings.delete, isDanger: true, withAll: doToAll("delete") }] : []),
  ];
  const ofSeveral = several && {
    chosen: several.lights,
    lights: whole.rows,
    groups,
    onDone: several.clear,
    onClose: () => setSeveral(undefined),
  };
  const navigate = useNavigate();
  const placeOf = (light: Light) => (moving ? moving.indexOf(light.id) + 1 : (places.get(light.id) ?? 0));
  const actions = (light: Light, isNarrow: boolean) => (
    <RowActions
      id={String(light.id)}
      isNarrow={isNarrow}
      lead={can("playOnStage") && <IdentifyButton light={light} onAim={() => open("aim", light)} />}
      actions={[
        can(rpc.updateLight) && { label: strings.edit, act: () => open("edit", light) },
        can(rpc.deleteLight) && { label: strings.delete, isDanger: true, act: () => open("delete", light) },
      ]}
      more={[
        can(rpc.getLightOnStage) && { label: darkStrings.open, onSelect: () => open("dark", light) },
        can(AuditService.method.listAuditEntries) && {
          label: auditStrings.history,
          onSelect: () => open("history", light),
        },
      ]}
    />
  );
  return (
    <DragOrder
      items={movable}
      canMove={can(rpc.reorderLights) && isOwnOrder && whole.isWhole && !reorder.isPending}
      onOrder={order}
    >
      <ChosenLight value={{ id: chosen, choose: mark }}>
        <ListPage
          list={list}
          text={text}
          filters={text.filters}
          columns={lightColumns(placeOf, ({ id }) => problems.get(id), actions)}
          rowHeight={ROW_PX}
          shell={LightRow}
          bulk={bulk}
          whenEmpty={
            <span className="flex flex-wrap justify-center gap-2">
              {can(rpc.addLights) && (
                <Button variant="primary" onClick={() => open("several")}>
                  {patchStrings.addSeveral}
                </Button>
              )}
              {can(rpc.findNodes) && <Button onClick={() => open("find")}>{patchStrings.findNodes}</Button>}
            </span>
          }
          onOpen={can(rpc.updateLight) ? (light) => open("edit", light) : undefined}
          beside={
            whole.isWhole &&
            whole.rows.length > 0 && (
              <span className="text-xs text-muted">{patchStrings.counts(whole.rows.length, universes.length)}</span>
            )
          }
          above={
            <>
              {asking === undefined && <ReorderBanner reorder={reorder} />}
              {can("playOnStage") && <IdentifyRefusals />}
              {can("seeLamps") && whole.rows.length > 0 && <LiveStage place="lights" />}
              {whole.rows.length > 0 && (
                <UniversePanel
                  lights={whole.rows}
                  universe={universe}
                  selected={chosen}
                  onSelect={(id) => {
                    mark(id);
                    showRow(
                      id,
                      rows.findIndex((light) => light.id === id),
                      rowHeightAt(density.get(), ROW_PX),
                    );
                  }}
                  onUniverse={setUniverse}
                  beside={
                    marked &&
                    can(rpc.getLightOnStage) && <Button onClick={() => open("dark", marked)}>{darkStrings.open}</Button>
                  }
                />
              )}
            </>
          }
          tools={
            <>
              {can(rpc.listFixtures) && <Button onClick={() => open("fixtures")}>{fixtureStrings.open}</Button>}
              {can(rpc.listOutputs) && <OutputsButton onOpen={() => open("outputs")} />}
              <Menu
                isIcon
                text={patchStrings.more}
                actions={[
                  ...(can("seeLamps") ? [{ label: monitorStrings.title, onSelect: () => open("monitor") }] : []),
                  ...(can(rpc.placeLights) ? [{ label: patchStrings.plan.open, onSelect: () => open("plan") }] : []),
                  { label: patchStrings.sheet.open, onSelect: () => void navigate({ to: "/lights/sheet" }) },
                  ...(can(rpc.importPatch) ? [{ label: patchStrings.qlc.open, onSelect: () => open("import") }] : []),
                ]}
              />
              {can(rpc.addLights) && <Button onClick={() => open("several")}>{patchStrings.addSeveral}</Button>}
              {can(rpc.createLight) && (
                <Button variant="primary" onClick={() => open("new")}>
                  <Plus aria-hidden size={14} /> {text.create}
                </Button>
              )}
            </>
          }
        >
          {/* Rendered after the lights have loaded, to avoid a layout shift. */}
          {list.phase !== "loading" && <GroupsSection lights={whole.rows} />}
          {(dialog?.what === "new" || (dialog?.what === "edit" && shown)) && (
            <LightDialog
              key={dialog.id}
              light={shown}
              lights={whole.isWhole ? whole.rows : undefined}
              groups={groups}
              onClose={close}
            />
          )}
          {dialog?.what === "new-group" && can(rpc.createGroup) && (
            <GroupDialog group={undefined} lights={whole.rows} onClose={close} />
          )}
          {dialog?.what === "fixtures" && (
            <Suspense>
              <FixturesDrawer onClose={close} />
            </Suspense>
          )}
          {(dialog?.what === "outputs" || dialog?.what === "find") && (
            <OutputsDrawer
              patched={whole.rows.map((light) => light.universe)}
              searchesAtOnce={dialog.what === "find"}
              onMonitor={(shownUniverse) => {
                setMonitored(shownUniverse);
                open("monitor");
              }}
              onClose={close}
            />
          )}
          <Suspense>
            {ofSeveral && several.what === "edit" && <EditSeveralDialog {...ofSeveral} />}
            {ofSeveral && several.what === "delete" && <DeleteSeveralDialog {...ofSeveral} />}
            {dialog?.what === "several" && whole.isWhole && (
              <SeveralDialog lights={whole.rows} groups={groups} universe={universe} onClose={close} />
            )}
            {dialog?.what === "plan" && whole.isWhole && (
              <PlanDialog lights={whole.rows} groups={groups} onClose={close} />
            )}
            {dialog?.what === "aim" && shown && can("playOnStage") && (
              <AimDialog key={dialog.id} light={shown} onClose={close} />
            )}
            {dialog?.what === "monitor" && can("seeLamps") && (
              <MonitorDrawer
                universe={monitored ?? universe}
                patched={universes}
                onClose={() => {
                  setMonitored(undefined);
                  close();
                }}
              />
            )}
            {dialog?.what === "dark" && shown && (
              <WhyDarkDrawer
                key={dialog.id}
                light={shown}
                groups={groups}
                overlap={problems.get(shown.id)}
                onEdit={() => open("edit", shown)}
                onOutputs={() => open("outputs")}
                onClose={close}
              />
            )}
            {dialog?.what === "import" && <ImportDialog onClose={close} />}
          </Suspense>
          {asking && (
            <ConfirmDialog
              open
              title={patchStrings.movesTitle}
              message={patchStrings.order.question(movesInWords(asking.moves))}
              confirmLabel={patchStrings.order.confirm}
              onClose={() => setAsking(undefined)}
              onConfirm={() => {
                saveOrder(asking.ids, asking.moves);
                setAsking(undefined);
              }}
            />
          )}
          {dialog?.what === "history" && shown && (
            <HistoryDrawer target={`light ${shown.id}`} name={shown.label || text.noLabel} onClose={close} />
          )}
          {dialog?.what === "delete" && shown && (
            <DeleteDialog
              title={text.deleteTitle}
              question={text.deleteQuestion(shown.label || text.noLabel) + movesNote(whole.rows, shown)}
              done={deletedText(whole.rows, shown)}
              remove={() => calls.removeLight(shown, forecastDelete(whole.rows, [shown]).moves)}
              {...(can(rpc.restoreLights) && { restore: () => restore([shown], groups) })}
              onClose={close}
            />
          )}
        </ListPage>
      </ChosenLight>
    </DragOrder>
  );
}

interface Several {
  readonly what: "edit" | "delete";
  readonly lights: readonly Light[];
  readonly clear: () => void;
}

/** Holds the ID of the selected light; undefined after the light is deleted. */
function useChosen(lights: readonly Light[]): readonly [number | undefined, (id: number) => void] {
  const [chosen, choose] = useState<number>();
  return [lights.some(({ id }) => id === chosen) ? chosen : undefined, choose];
}

/** Maps each light that shares channels with another light to a sentence about the overlap. */
function overlapsOf(lights: readonly Light[]): ReadonlyMap<number, string> {
  const here = (universe: number) => lights.filter((light) => light.universe === universe).map(toSlotLight);
  return new Map(universesOf(lights).flatMap((universe) => [...overlaps(here(universe), universe)]));
}

/** Returns the confirmation text about lights that a deletion readdresses; empty if there are none. */
function movesNote(lights: readonly Light[], removed: Light): string {
  const { moves } = forecastDelete(lights, [removed]);
  return moves.length > 0 ? patchStrings.deleteMoves(movesInWords(moves)) : "";
}

/** Returns the toast text after a deletion, including the lights that got new addresses. */
function deletedText(lights: readonly Light[], removed: Light): string {
  const label = removed.label || text.noLabel;
  const { moves } = forecastDelete(lights, [removed]);
  return moves.length > 0 ? text.deletedMoving(label, movesInWords(moves)) : text.deleted(label);
}
