import type { Light } from "@followspot/contract/lights";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { countOf } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { SearchField } from "../ui/fields.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, ErrorState, Loading, NoMatch } from "../ui/states.tsx";
import { showToast } from "../ui/toast.tsx";
import { GroupsSection } from "./groups-section.tsx";
import { LightDialog } from "./light-dialog.tsx";
import { inStageOrder } from "./light-rules.ts";
import { useDeleteLight, useGroups, useLights } from "./lights.queries.ts";
import { lightStrings as text } from "./lights.strings.ts";
import { LightsTable } from "./lights-table.tsx";

const route = getRouteApi("/shell/lights");

type Doing = { readonly what: "edit" | "delete"; readonly light: Light } | { readonly what: "create" };

export function LightsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const lights = useLights();
  const groups = useGroups();
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const find = (q: string) => void navigate({ search: { ...search, q: q || undefined }, replace: true });

  const all = useMemo(() => inStageOrder(lights.data?.lights ?? []), [lights.data]);
  const shown = all.filter((light) => matches(light, search.q));
  return (
    <Page
      title={text.title}
      beside={
        lights.data && (
          <span className="text-xs text-muted">
            {text.count(
              countOf(all.length, "light", "lights"),
              countOf(new Set(all.map(({ universe }) => universe)).size, "universe", "universes"),
            )}
          </span>
        )
      }
      tools={
        <>
          <SearchField label={text.search} hint={text.searchHint} value={search.q ?? ""} onSearch={find} />
          <Button variant="primary" onClick={() => setDoing({ what: "create" })}>
            <Plus aria-hidden size={14} /> {text.create}
          </Button>
        </>
      }
    >
      {lights.isPending ? (
        <Loading />
      ) : lights.isError && !lights.data ? (
        <ErrorState prefix={text.loadError} error={lights.error} onRetry={() => void lights.refetch()} />
      ) : all.length === 0 ? (
        <EmptyState text={text.empty} />
      ) : shown.length === 0 ? (
        <NoMatch onClear={() => find("")} />
      ) : (
        <LightsTable
          lights={all}
          shown={shown}
          refreshing={lights.isFetching}
          onEdit={(light) => setDoing({ what: "edit", light })}
          onDelete={(light) => setDoing({ what: "delete", light })}
        />
      )}
      <GroupsSection lights={all} />
      {(doing?.what === "create" || doing?.what === "edit") && (
        <LightDialog
          light={doing.what === "edit" ? doing.light : undefined}
          groups={groups.data?.groups ?? []}
          onClose={close}
        />
      )}
      {doing?.what === "delete" && <DeleteDialog light={doing.light} onClose={close} />}
    </Page>
  );
}

function DeleteDialog({ light, onClose }: { readonly light: Light; readonly onClose: () => void }) {
  const remove = useDeleteLight();
  const label = light.label || text.noLabel;
  return (
    <ConfirmDialog
      open
      title={text.deleteTitle}
      message={text.deleteQuestion(label)}
      confirmLabel={remove.isPending ? text.deleting : strings.delete}
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { id: light.id },
          {
            onSuccess: () => {
              onClose();
              showToast(text.deleted(label));
            },
          },
        )
      }
    />
  );
}

function matches({ label, lightType, mode, groups }: Light, query: string | undefined): boolean {
  if (!query) return true;
  const wanted = query.trim().toLowerCase();
  return [label, lightType, mode, ...groups].some((text) => text.toLowerCase().includes(wanted));
}
