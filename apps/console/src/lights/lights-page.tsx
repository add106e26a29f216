import { AuditService } from "@followspot/contract/audit";
import { LightsService, type Light } from "@followspot/contract/lights";
import { Plus } from "lucide-react";
import { Suspense, useMemo } from "react";
import { auditStrings } from "../audit/audit.strings.ts";
import { HistoryDrawer } from "../audit/history-drawer.tsx";
import { useCan } from "../auth/can.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { fixtureStrings } from "../fixtures/fixtures.strings.ts";
import { strings } from "../lib/strings.ts";
import { useListScreen, useUrlSearch } from "../lib/use-list-screen.ts";
import { useWholeList } from "../lib/use-whole-list.ts";
import { OutputsButton } from "../outputs/outputs-button.tsx";
import { OutputsDrawer } from "../outputs/outputs-drawer.tsx";
import { Button } from "../ui/button.tsx";
import { DeleteDialog } from "../ui/delete-dialog.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { RowActions } from "../ui/row-parts.tsx";
import { forecastDelete } from "./address-moves.ts";
import { movesInWords } from "./address-notes.tsx";
import { DragOrder, SortableRow } from "./drag-order.tsx";
import { GroupsSection } from "./groups-section.tsx";
import { lightColumns } from "./light-columns.tsx";
import { LightDialog } from "./light-dialog.tsx";
import { inOrder } from "./light-rules.ts";
import { GROUPS, LIGHTS, useLightCalls, useReorderLights } from "./lights.queries.ts";
import { lightStrings as text } from "./lights.strings.ts";
import { ReorderBanner } from "./reorder-banner.tsx";

const rpc = LightsService.method;
/** With its schemas: read when somebody opens it. */
const FixturesDrawer = lazyPart(() => import("../fixtures/fixtures-drawer.tsx"), "FixturesDrawer");

export function LightsPage() {
  const can = useCan();
  const read = useListScreen(LIGHTS, useUrlSearch());
  const whole = useWholeList(LIGHTS);
  const groups = useWholeList(GROUPS).rows;
  const reorder = useReorderLights();
  const calls = useLightCalls();
  const isOwnOrder = !read.isFiltered && read.sort === undefined;
  // What is being saved is shown until the server's own order is here: no reading in between can turn it back.
  const moving = reorder.isPending ? reorder.variables : undefined;
  const rows = useMemo(() => (moving ? inOrder(read.rows, moving) : read.rows), [moving, read.rows]);
  const list = { ...read, rows };
  const places = useMemo(() => new Map(whole.rows.map(({ id }, index) => [id, index + 1])), [whole.rows]);
  const { dialog, open, close } = list;
  const shown = dialog?.row;
  const placeOf = (light: Light) => (moving ? moving.indexOf(light.id) + 1 : (places.get(light.id) ?? 0));
  const actions = (light: Light, isNarrow: boolean) => (
    <RowActions
      id={String(light.id)}
      isNarrow={isNarrow}
      actions={[
        can(rpc.updateLight) && { label: strings.edit, act: () => open("edit", light) },
        can(rpc.deleteLight) && { label: strings.delete, isDanger: true, act: () => open("delete", light) },
      ]}
      more={[
        can(AuditService.method.listAuditEntries) && {
          label: auditStrings.history,
          onSelect: () => open("history", light),
        },
      ]}
    />
  );
  return (
    <DragOrder
      lights={rows}
      canMove={can(rpc.reorderLights) && isOwnOrder && whole.isWhole && !reorder.isPending}
      onOrder={reorder.mutate}
    >
      <ListPage
        list={list}
        text={text}
        filters={text.filters}
        columns={lightColumns(placeOf, actions)}
        rowHeight={36}
        shell={SortableRow}
        onOpen={can(rpc.updateLight) ? (light) => open("edit", light) : undefined}
        beside={whole.isWhole && <Universes lights={whole.rows} />}
        above={<ReorderBanner reorder={reorder} />}
        tools={
          <>
            {can(rpc.listFixtures) && <Button onClick={() => open("fixtures")}>{fixtureStrings.open}</Button>}
            {can(rpc.listOutputs) && <OutputsButton onOpen={() => open("outputs")} />}
            {can(rpc.createLight) && (
              <Button variant="primary" onClick={() => open("new")}>
                <Plus aria-hidden size={14} /> {text.create}
              </Button>
            )}
          </>
        }
      >
        {/* Later than the lights, or they would push it down. */}
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
        {dialog?.what === "fixtures" && (
          <Suspense>
            <FixturesDrawer onClose={close} />
          </Suspense>
        )}
        {dialog?.what === "outputs" && (
          <OutputsDrawer patched={whole.rows.map(({ universe }) => universe)} onClose={close} />
        )}
        {dialog?.what === "history" && shown && (
          <HistoryDrawer target={`light ${shown.id}`} name={shown.label || text.noLabel} onClose={close} />
        )}
        {dialog?.what === "delete" && shown && (
          <DeleteDialog
            title={text.deleteTitle}
            question={text.deleteQuestion(shown.label || text.noLabel)}
            done={deletedText(whole.rows, shown)}
            remove={() => calls.removeLight(shown)}
            onClose={close}
          />
        )}
      </ListPage>
    </DragOrder>
  );
}

function Universes({ lights }: { readonly lights: readonly Light[] }) {
  const universes = new Set(lights.map(({ universe }) => universe)).size;
  return universes > 0 && <span className="text-xs text-muted">{text.universes(universes)}</span>;
}

/** Says also which lights moved up into the gap. */
function deletedText(lights: readonly Light[], gone: Light): string {
  const label = gone.label || text.noLabel;
  const { moves } = forecastDelete(lights, gone);
  return moves.length > 0 ? text.deletedMoving(label, movesInWords(moves)) : text.deleted(label);
}
