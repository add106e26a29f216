import { LightsService, type Light, type LightGroup } from "@followspot/contract/lights";
import { Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useCan } from "../auth/can.ts";
import { countOf } from "../lib/formatting.ts";
import type { ListSearch } from "../lib/list-search.ts";
import { strings } from "../lib/strings.ts";
import { useListScreen } from "../lib/use-list-screen.ts";
import { Button } from "../ui/button.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { DeleteDialog } from "../ui/delete-dialog.tsx";
import { RowActions, RowTitle } from "../ui/row-parts.tsx";
import { Status } from "../ui/status.tsx";
import type { TableColumn } from "../ui/table-columns.ts";
import { GroupDialog } from "./group-dialog.tsx";
import { GROUPS, useLightCalls } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";

const text = lightStrings.groups;
const rpc = LightsService.method;

/** Group list below the lights. Its search state is local, because the page URL holds the state of the light list. */
export function GroupsSection({ lights }: { readonly lights: readonly Light[] }) {
  const can = useCan();
  const [search, setSearch] = useState<ListSearch>({});
  const list = useListScreen(GROUPS, [search, (next) => setSearch((old) => ({ ...old, ...next }))]);
  const calls = useLightCalls();
  const { dialog, open, close } = list;
  const shown = dialog?.row;
  const actions = (group: LightGroup) => (
    <RowActions
      id={rowName(group)}
      actions={[
        can(rpc.updateGroup) && { label: strings.edit, act: () => open("edit", group) },
        can(rpc.deleteGroup) && { label: strings.delete, isDanger: true, act: () => open("delete", group) },
      ]}
    />
  );
  return (
    <section aria-labelledby="groups" className="flex max-h-[40%] min-h-48 shrink-0 flex-col gap-3">
      <div className="flex shrink-0 items-center justify-between gap-3">
        <h2 id="groups" className="text-lg font-semibold">
          {text.title}
        </h2>
        {can(rpc.createGroup) && (
          <Button onClick={() => open("new")}>
            <Plus aria-hidden size={14} /> {text.create}
          </Button>
        )}
      </div>
      <DataTable
        label={text.title}
        list={list}
        columns={groupColumns(actions)}
        rowHeight={44}
        text={text}
        whenEmpty={
          can(rpc.createGroup) && lights.length > 0 && <Button onClick={() => open("new")}>{text.createFirst}</Button>
        }
      />
      {(dialog?.what === "new" || (dialog?.what === "edit" && shown)) && (
        <GroupDialog key={dialog.id} group={shown} lights={lights} onClose={close} />
      )}
      {dialog?.what === "delete" && shown && (
        <DeleteDialog
          title={lightStrings.deleteGroupTitle}
          question={lightStrings.deleteQuestion(shown.name)}
          done={lightStrings.deleted(shown.name)}
          remove={() => calls.removeGroup(shown)}
          onClose={close}
        />
      )}
    </section>
  );
}

/** Prefixes the row ID, because the page also has light rows with plain numeric IDs. */
const rowName = ({ id }: LightGroup) => `group-${id}`;

const groupColumns = (actions: (group: LightGroup) => ReactNode): readonly TableColumn<LightGroup>[] => [
  {
    id: "name",
    head: text.columns.name,
    width: { min: 160, share: 2 },
    narrow: "title",
    cell: (group) => <RowTitle id={rowName(group)} title={group.name} below={text.id(group.id)} />,
  },
  { id: "type", head: text.columns.type, width: { min: 80, share: 1 }, hideBelow: 640, cell: ({ type }) => type },
  {
    id: "fixtures",
    head: text.columns.fixtures,
    width: 110,
    hideBelow: 640,
    cell: ({ fixtureIds }) => countOf(fixtureIds.length, "fixture", "fixtures"),
  },
  {
    id: "status",
    head: strings.status,
    width: 120,
    narrow: "line",
    cell: ({ enabled }) => <Status tone={enabled ? "ok" : "off"}>{enabled ? text.enabled : text.disabled}</Status>,
  },
  { id: "actions", head: strings.actions, width: 150, align: "end", narrow: "actions", cell: actions },
];
