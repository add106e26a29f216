import type { ImportedFixture } from "@followspot/contract/lights";
import { rangeInWords } from "@followspot/lighting";
import { useState } from "react";
import { Dialog, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { CheckboxField, FileField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { showToast } from "../ui/toast.tsx";
import { useImportPatch } from "./lights.queries.ts";
import { patchStrings } from "./patch.strings.ts";

const text = patchStrings.qlc;
const MOST_BYTES = 4 * 1024 * 1024;

/** Previews the patch of a QLC+ workspace, then imports every fixture that can be patched; all of them or none. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { preview, apply } = useImportPatch();
  const fixtures = preview.data?.fixtures ?? [];
  const ready = fixtures.filter(({ state }) => state === "ready");
  const readyIds = new Set(ready.map(({ id }) => id));
  const groups = (preview.data?.groups ?? []).filter(({ fixtureIds }) => fixtureIds.some((id) => readyIds.has(id)));
  const [withGroups, setWithGroups] = useState(true);
  const read = (file: File | undefined) => {
    apply.reset();
    preview.reset();
    if (!file) return;
    if (file.size > MOST_BYTES) showToast(text.tooLarge, { bad: true });
    else preview.mutate(file);
  };
  const patch = () => {
    if (!preview.data) return;
    const { workspaceBase64 } = preview.data;
    apply.mutate(
      { workspaceBase64, fixtureIds: [...readyIds], withoutGroups: !withGroups },
      {
        onSuccess: ({ lights }) => {
          onClose();
          showToast(text.done(lights.length));
        },
      },
    );
  };
  return (
    <Dialog open wide title={text.title} onClose={onClose}>
      <DialogBody>
        <FormError error={apply.error ?? preview.error} />
        <FileField
          label={text.file}
          hint={text.fileHint}
          accept=".qxw,application/xml"
          onChange={({ target }) => read(target.files?.[0])}
        />
        {preview.isPending && <p role="status">{text.reading}</p>}
        {preview.data && (
          <>
            <p role="status" className="text-muted">
              {text.ready(ready.length)}
              {fixtures.length > ready.length && ` · ${text.left(fixtures.length - ready.length)}`}
            </p>
            {groups.length > 0 && (
              <CheckboxField
                label={text.withGroups(groups.map(({ name, groupId }) => (groupId === "" ? name : text.joins(name))))}
                checked={withGroups}
                onChange={({ target }) => setWithGroups(target.checked)}
              />
            )}
            <ul className="flex flex-col divide-y rounded-md border" aria-label={text.title}>
              {fixtures.map((fixture) => (
                <FixtureRow key={fixture.id} fixture={fixture} />
              ))}
            </ul>
          </>
        )}
      </DialogBody>
      <SaveActions
        label={text.submit(ready.length)}
        pending={apply.isPending}
        disabled={ready.length === 0}
        onSave={patch}
        onClose={onClose}
      />
    </Dialog>
  );
}

function FixtureRow({ fixture }: { readonly fixture: ImportedFixture }) {
  const { name, manufacturer, model, mode, universe, address, channelCount, problem, isFromLibrary } = fixture;
  const range = rangeInWords({ address, channelCount });
  return (
    <li className="flex flex-col gap-0.5 px-3 py-2">
      <span className="flex flex-wrap items-baseline gap-x-3">
        <span className="min-w-0 truncate font-medium">{name}</span>
        <span className="font-mono text-xs text-muted">{text.place(universe, range)}</span>
        <span className="min-w-0 truncate text-xs text-muted">
          {[manufacturer, model, mode].filter(Boolean).join(" · ")}
        </span>
      </span>
      {isFromLibrary && <span className="text-xs text-muted">{text.fromLibrary}</span>}
      {problem && <span className="text-xs wrap-anywhere text-danger">{problem}</span>}
    </li>
  );
}
