import type { Light, LightGroup } from "@followspot/contract/lights";
import { Plus } from "lucide-react";
import { useState } from "react";
import { countOf } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { ActionsCell, Cell, HeadCell, Row, Table, TableFrame } from "../ui/table.tsx";
import { showToast } from "../ui/toast.tsx";
import { GroupDialog } from "./group-dialog.tsx";
import { useDeleteGroup, useGroups } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";

const text = lightStrings.groups;

type Doing = { readonly what: "edit" | "delete"; readonly group: LightGroup } | { readonly what: "create" };

export function GroupsSection({ lights }: { readonly lights: readonly Light[] }) {
  const groups = useGroups();
  const [doing, setDoing] = useState<Doing>();
  const rows = groups.data?.groups ?? [];
  return (
    <section aria-labelledby="groups" className="flex shrink-0 flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 id="groups" className="text-lg font-semibold">
          {text.title}
        </h2>
        <Button onClick={() => setDoing({ what: "create" })}>
          <Plus aria-hidden size={14} /> {text.create}
        </Button>
      </div>
      {groups.isPending ? (
        <Loading rows={2} />
      ) : groups.isError && !groups.data ? (
        <ErrorState prefix={text.loadError} error={groups.error} onRetry={() => void groups.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState text={text.empty} />
      ) : (
        <TableFrame whole label={text.title} refreshing={groups.isFetching}>
          <Table>
            <thead>
              <tr>
                <HeadCell>{text.columns.name}</HeadCell>
                <HeadCell>{text.columns.type}</HeadCell>
                <HeadCell>{text.columns.fixtures}</HeadCell>
                <HeadCell>{strings.status}</HeadCell>
                <HeadCell className="text-right">{strings.actions}</HeadCell>
              </tr>
            </thead>
            <tbody>
              {rows.map((group) => (
                <Row key={group.id} className="h-11">
                  <Cell className="min-w-36">
                    <span id={`group-${group.id}`} className="line-clamp-1 font-medium wrap-anywhere">
                      {group.name}
                    </span>
                    <span className="line-clamp-1 font-mono text-xs text-muted">{text.id(group.id)}</span>
                  </Cell>
                  <Cell>{group.type}</Cell>
                  <Cell className="whitespace-nowrap">{countOf(group.fixtureIds.length, "fixture", "fixtures")}</Cell>
                  <Cell>
                    <Status tone={group.enabled ? "ok" : "off"}>{group.enabled ? text.enabled : text.disabled}</Status>
                  </Cell>
                  <ActionsCell>
                    <Button aria-describedby={`group-${group.id}`} onClick={() => setDoing({ what: "edit", group })}>
                      {strings.edit}
                    </Button>
                    <Button
                      variant="danger"
                      aria-describedby={`group-${group.id}`}
                      onClick={() => setDoing({ what: "delete", group })}
                    >
                      {strings.delete}
                    </Button>
                  </ActionsCell>
                </Row>
              ))}
            </tbody>
          </Table>
        </TableFrame>
      )}
      {(doing?.what === "create" || doing?.what === "edit") && (
        <GroupDialog
          group={doing.what === "edit" ? doing.group : undefined}
          lights={lights}
          onClose={() => setDoing(undefined)}
        />
      )}
      {doing?.what === "delete" && <DeleteDialog group={doing.group} onClose={() => setDoing(undefined)} />}
    </section>
  );
}

function DeleteDialog({ group, onClose }: { readonly group: LightGroup; readonly onClose: () => void }) {
  const remove = useDeleteGroup();
  return (
    <ConfirmDialog
      open
      title={lightStrings.deleteGroupTitle}
      message={lightStrings.deleteQuestion(group.name)}
      confirmLabel={remove.isPending ? lightStrings.deleting : strings.delete}
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { id: group.id },
          {
            onSuccess: () => {
              onClose();
              showToast(lightStrings.deleted(group.name));
            },
          },
        )
      }
    />
  );
}
