import type { Rig } from "@followspot/contract";
import type { Light, LightGroup } from "@followspot/contract/lights";
import { Redo2, Undo2 } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { keysInWords, useOfKey, type KeyTable } from "../../lib/key-table.ts";
import { strings } from "../../lib/strings.ts";
import { drawingHere } from "../../stage-3d/stage-look.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { sayWhy } from "../../ui/delete-dialog.tsx";
import { Dialog, DialogBody, SaveActions } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Segments } from "../../ui/segments.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useSeveralCalls, useStageRig } from "../lights.queries.ts";
import { patchStrings } from "../patch.strings.ts";
import { ArrangeTools, Tools } from "./arrange-tools.tsx";
import { PlaceFields } from "./place-fields.tsx";
import { held, linedUp, linesOf, savedAs } from "./places.ts";
import { PlanAbove } from "./plan-above.tsx";
import { PlanIn3d } from "./plan-in-3d.tsx";
import { CHOICE_KEYS, PLACE_KEYS, PLAN_STEPS } from "./plan.keys.ts";
import { outsideOf, usePlaceEditor, type PlaceEditor } from "./use-place-editor.ts";

const text = patchStrings.plan;

/** Layout of the stage view. Beside the tools it takes the full height; above them it is sticky while the tools scroll. */
const STAGE =
  "relative z-30 h-[calc(100dvh-230px)] min-h-60 shrink-0 overflow-hidden rounded-md border bg-surface max-lg:h-[min(46dvh,420px)] lg:min-w-0 lg:flex-1 [@media(min-height:600px)]:max-lg:sticky [@media(min-height:600px)]:max-lg:-top-4";
const LOOKS = ["above", "3d"] as const;
type Look = (typeof LOOKS)[number];

interface PlanDialogProps {
  readonly lights: readonly Light[];
  readonly groups: readonly LightGroup[];
  readonly onClose: () => void;
}

/** Stage plan editor: fixtures are positioned in a top view or in 3D, and saved together. */
export function PlanDialog({ lights, groups, onClose }: PlanDialogProps) {
  const { place: save } = useSeveralCalls();
  const rig = useStageRig(lights);
  const editor = usePlaceEditor(lights, groups, rig.data);
  const { changes, before } = editor;
  const submit = () => {
    const undo = changes.map(({ lightId }) => savedAs(lightId, before.get(lightId)));
    save.mutate(changes, {
      onSuccess: () => {
        onClose();
        showToast(text.saved(changes.length), { undo: () => void save.mutateAsync(undo).catch(sayWhy) });
      },
    });
  };
  return (
    <Dialog
      open
      wide={lights.length > 0 ? "full" : true}
      dirty={changes.length > 0}
      title={text.title}
      onClose={onClose}
    >
      <DialogBody>
        {lights.length === 0 ? (
          <EmptyState text={text.none} />
        ) : (
          <Plan lights={lights} groups={groups} rig={rig.data} rigError={rig.error} editor={editor} />
        )}
      </DialogBody>
      {save.error && (
        // Outside the scroll area, so that the error is always visible next to the button.
        <div className="shrink-0 px-4 pb-3">
          <FormError error={save.error} />
        </div>
      )}
      <SaveActions
        label={text.save}
        pending={save.isPending}
        disabled={changes.length === 0}
        onSave={submit}
        onClose={onClose}
      />
    </Dialog>
  );
}

function Plan({
  lights,
  groups,
  rig,
  rigError,
  editor,
}: Omit<PlanDialogProps, "onClose"> & {
  readonly rig: Rig | undefined;
  readonly rigError: unknown;
  readonly editor: PlaceEditor;
}) {
  const [look, setLook] = useState<Look>("above");
  const [isLost, setLost] = useState(false);
  const lose = useCallback(() => setLost(true), []);
  useUndoKeys(editor);
  const { lamps, chosen, overtaken } = editor;
  const chosenLamps = lamps.filter(({ id }) => chosen.has(id));
  const missing = whyNot3d(isLost, rigError);
  const outside = outsideOf(lamps);
  return (
    <div
      className="flex flex-col gap-3"
      onKeyDown={(key) => {
        if (useOfKey(CHOICE_KEYS, key) !== "none" || chosen.size === 0) return;
        // The first Escape clears the selection; the next one closes the dialog.
        key.stopPropagation();
        editor.choose([]);
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Segments
          label={text.looks.label}
          segments={LOOKS.map((value) => ({ value, label: text.looks[value] }))}
          value={look}
          onChange={(next) => {
            setLost(false);
            setLook(next);
          }}
        />
        <span className="flex gap-1">
          <Button
            aria-label={strings.undo}
            title={text.undo}
            aria-keyshortcuts="Control+Z"
            disabled={!editor.canUndo}
            onClick={editor.undo}
          >
            <Undo2 aria-hidden size={14} />
          </Button>
          <Button
            aria-label={text.redo}
            title={text.redoKeys}
            aria-keyshortcuts="Control+Shift+Z"
            disabled={!editor.canRedo}
            onClick={editor.redo}
          >
            <Redo2 aria-hidden size={14} />
          </Button>
        </span>
        {outside.length > 0 && (
          <Notice text={text.outside(outside.map(({ name }) => name))}>
            <Button onClick={() => editor.put(new Map(outside.map(({ id, pose }) => [id, held(pose)])))}>
              {text.bringBack}
            </Button>
          </Notice>
        )}
        {overtaken.length > 0 && (
          <Notice text={text.overtaken(lamps.filter(({ id }) => overtaken.includes(id)).map(({ name }) => name))}>
            <Button onClick={() => editor.settle("theirs")}>{text.theirs}</Button>
            <Button onClick={() => editor.settle("mine")}>{text.mine}</Button>
          </Notice>
        )}
        {look === "3d" && missing && <Notice text={missing} />}
      </div>
      <div className="flex min-h-0 flex-col gap-4 lg:flex-row">
        <div className={cx(STAGE, look === "above" && "max-sm:h-60")}>
          {look === "3d" && !missing ? (
            <PlanIn3d editor={editor} rig={rig} onLost={lose} />
          ) : (
            <PlanAbove editor={editor} />
          )}
        </div>
        <div className="flex flex-col gap-4 lg:max-h-[calc(100dvh-230px)] lg:w-80 lg:shrink-0 lg:overflow-y-auto lg:pr-1 [overflow-anchor:none]">
          {chosenLamps.length === 0 ? (
            <p className="text-xs text-muted">{text.choose}</p>
          ) : (
            <>
              <p className="shrink-0 truncate text-sm font-medium" title={chosenLamps[0]!.name}>
                {chosenLamps.length === 1 ? chosenLamps[0]!.name : text.chosen(chosenLamps.length)}
              </p>
              <PlaceFields editor={editor} lamps={chosenLamps} />
              <ArrangeTools editor={editor} lamps={chosenLamps} rig={rig} />
            </>
          )}
          <WholePlan lights={lights} groups={groups} editor={editor} />
        </div>
      </div>
    </div>
  );
}

function whyNot3d(isLost: boolean, rigError: unknown): string | undefined {
  if (!drawingHere().isPossible) return text.no3d;
  if (isLost) return text.lost3d;
  return rigError ? text.noRig : undefined;
}

/** Tools for groups and for the whole plan. */
function WholePlan({ lights, groups, editor }: Omit<PlanDialogProps, "onClose"> & { readonly editor: PlaceEditor }) {
  const { lamps } = editor;
  const lines = linesOf(lights, groups);
  const nameOf = (id: string) => groups.find((group) => group.id === id)?.name || id || patchStrings.several.noGroup;
  const unplaced = lamps.filter(({ isPlaced }) => !isPlaced).length;
  return (
    <>
      <Tools label={text.select.title}>
        <Button onClick={() => editor.choose(lamps.map(({ id }) => id))}>{text.select.all}</Button>
        {lines.size > 1 &&
          [...lines].map(([id, ids]) => (
            <Button
              key={id}
              className="max-w-full"
              aria-label={text.select.group(nameOf(id))}
              onClick={() => editor.choose(ids)}
            >
              <span
                aria-hidden
                className="size-2 shrink-0 rounded-full"
                style={{ backgroundColor: lamps.find((lamp) => lamp.id === ids[0])?.color }}
              />
              <span className="truncate">{nameOf(id)}</span>
            </Button>
          ))}
      </Tools>
      <Tools label={text.line}>
        <Button onClick={() => editor.put(linedUp(lines))}>{text.lineAll}</Button>
        <Button variant="ghost" onClick={() => editor.take(editor.places.keys())}>
          {text.clear}
        </Button>
      </Tools>
      {unplaced > 0 && <p className="text-xs text-muted">{text.unplaced(unplaced)}</p>}
      <details
        className="text-xs text-muted"
        onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: "nearest" })}
      >
        <summary className="cursor-pointer hover:text-fg">{text.keys.title}</summary>
        <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
          {KEYS_AND_POINTER.map(([keys, what]) => (
            <div key={keys} className="contents">
              <dt className="text-fg">{keys}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function Notice({ text: said, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div role="status" className="flex min-w-0 flex-wrap items-center gap-2 text-xs text-warn">
      <span className="min-w-0 wrap-anywhere">{said}</span>
      {children}
    </div>
  );
}

const KEYS_AND_POINTER: readonly (readonly [keys: string, what: string])[] = [
  ...text.keys.pointer,
  ...[PLACE_KEYS, CHOICE_KEYS, PLAN_STEPS].flatMap((table: KeyTable) =>
    Object.values(table).map((use) => [keysInWords(use), use.does] as const),
  ),
];

/** Handles Ctrl+Z and Ctrl+Shift+Z anywhere in the dialog, except in text fields, which have their own undo. */
function useUndoKeys(editor: PlaceEditor): void {
  const step = useEffectEvent((key: KeyboardEvent) => {
    const use = useOfKey(PLAN_STEPS, key);
    if (!use || isInField(key.target)) return;
    editor[use]();
    key.preventDefault();
    key.stopPropagation();
  });
  useEffect(() => {
    const listen = (key: KeyboardEvent) => step(key);
    // Capture phase: otherwise the newest toast would handle the key and undo its own change.
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, []);
}

const isInField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input[type=text], [role=alertdialog]") !== null;
