import { outputName } from "@followspot/contract";
import { LightsService, type Output } from "@followspot/contract/lights";
import { Link } from "@tanstack/react-router";
import { Plus, Radar, Timer } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useCan } from "../auth/can.ts";
import { plainErrorText } from "../lib/errors.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { DeleteDialog, sayWhy } from "../ui/delete-dialog.tsx";
import { Drawer } from "../ui/drawer.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { showToast } from "../ui/toast.tsx";
import { FoundList } from "./found-list.tsx";
import { foundAdapters, foundPorts, nextUniverse, type Found } from "./output-fields.ts";
import { OutputDialog } from "./output-dialog.tsx";
import { OutputRow } from "./output-row.tsx";
import { useFindNodes, useOutputCalls, useOutputHealth, useOutputs, type Health } from "./outputs.queries.ts";
import { outputStrings as text } from "./outputs.strings.ts";
import { WireNotices } from "./wire-notices.tsx";

const rpc = LightsService.method;
/** Polling interval while the drawer is open, ms. */
const HEALTH_EVERY_MS = 2000;

type Open = { readonly what: "new" } | { readonly what: "edit" | "delete"; readonly output: Output };

/** Drawer with all outputs, their state, and ports that could become outputs. */
export function OutputsDrawer({
  patched,
  searchesAtOnce = false,
  onMonitor,
  onClose,
}: {
  /** Universes with patched fixtures. */
  readonly patched: readonly number[];
  /** Whether it was opened by a button that searches for nodes. */
  readonly searchesAtOnce?: boolean;
  /** Opens the monitor of a universe. */
  readonly onMonitor: (universe: number) => void;
  readonly onClose: () => void;
}) {
  const can = useCan();
  const outputs = useOutputs();
  const health = useOutputHealth(HEALTH_EVERY_MS);
  const find = useFindNodes();
  const calls = useOutputCalls();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const rows = outputs.data?.outputs ?? [];
  const universe = nextUniverse(rows, patched);
  const nodes = foundPorts(health.data?.nodes ?? [], rows, universe);
  const adapters = foundAdapters(health.data?.devices ?? [], rows, universe);
  const isSearching = health.data?.searchingUntil !== undefined;
  const begin = useEffectEvent(() => find.mutate(undefined, { onError: sayWhy }));
  useEffect(() => {
    if (searchesAtOnce) begin();
  }, [searchesAtOnce]);
  const use = async ({ name, output }: Found) => {
    if (!output) return;
    try {
      const made = await calls.create(output);
      showToast(text.added(name, output.universe), made && { undo: () => void calls.remove(made).catch(sayWhy) });
    } catch (error) {
      sayWhy(error);
    }
  };
  return (
    <Drawer
      wide
      title={text.title}
      onClose={onClose}
      above={
        <div className="flex shrink-0 flex-wrap items-center gap-2 border-b px-4 py-2">
          <p role="status" className="min-w-0 flex-1 text-xs text-muted tabular-nums">
            {summaryOf(health.data)}
          </p>
          {can(rpc.findNodes) && (
            <Button
              title={text.searchHint}
              pending={find.isPending || isSearching}
              onClick={() => find.mutate(undefined, { onError: sayWhy })}
            >
              {!isSearching && <Radar aria-hidden size={14} />} {isSearching ? text.searching : text.search}
            </Button>
          )}
          {can(rpc.updateOutput) && rows.length > 0 && (
            <Link to="/lights/calibration" className={buttonClass()}>
              <Timer aria-hidden size={14} /> {text.calibrate}
            </Link>
          )}
          {can(rpc.createOutput) && (
            <Button variant="primary" onClick={() => setOpen({ what: "new" })}>
              <Plus aria-hidden size={14} /> {text.add}
            </Button>
          )}
        </div>
      }
    >
      {health.isError && (
        <p role="alert" className="px-4 pt-3 text-xs wrap-anywhere text-danger">
          {text.healthError(plainErrorText(health.error))}
        </p>
      )}
      {health.data && <WireNotices health={health.data} />}
      {outputs.isPending ? (
        <Loading rows={3} />
      ) : outputs.isError ? (
        <ErrorState prefix={text.loadError} error={outputs.error} onRetry={() => void outputs.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState text={text.empty} />
      ) : (
        <ul aria-label={text.title}>
          {rows.map((output) => (
            <OutputRow
              key={output.id}
              output={output}
              health={health.data?.outputs.find(({ id }) => id === output.id)}
              onMonitor={() => onMonitor(output.universe)}
              onEdit={() => setOpen({ what: "edit", output })}
              onDelete={() => setOpen({ what: "delete", output })}
            />
          ))}
        </ul>
      )}
      {health.data && <FoundList nodes={nodes} adapters={adapters} onUse={can(rpc.createOutput) ? use : undefined} />}
      {open && open.what !== "delete" && (
        <OutputDialog
          key={open.what === "edit" ? open.output.id : "new"}
          output={open.what === "edit" ? open.output : undefined}
          universe={universe}
          devices={health.data?.devices ?? []}
          onClose={close}
        />
      )}
      {open?.what === "delete" && (
        <DeleteDialog
          title={text.deleteTitle}
          question={text.deleteQuestion(outputName(open.output))}
          done={text.deleted(outputName(open.output))}
          remove={() => calls.remove(open.output)}
          restore={() => calls.create(open.output)}
          onClose={close}
        />
      )}
    </Drawer>
  );
}

function summaryOf(health: Health | undefined): string {
  if (!health || health.outputs.length === 0) return "";
  if (!health.sending) return text.silent;
  return text.sending(health.rateHz.toFixed(1), health.lateP95Ms.toFixed(1));
}
