import type { Light, LightGroup } from "@followspot/contract/lights";
import { useState } from "react";
import { Checkbox } from "../ui/checkbox.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { showToast } from "../ui/toast.tsx";
import { forecastMode, refusedMoves, type AddressMove } from "./address-moves.ts";
import { ADDRESS_NOTE, AddressNotes, movesInWords } from "./address-notes.tsx";
import { aimOf } from "./aim-rules.ts";
import { areIn, common, commonHome, fieldsOf, homeProblem, type SeveralDraft } from "./edit-several-draft.ts";
import { editSeveralStrings as text } from "./edit-several.strings.ts";
import { useLightModes, useSeveralCalls, useStageRig } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";

export interface SeveralProps {
  readonly chosen: readonly Light[];
  /** Every patched light. */
  readonly lights: readonly Light[];
  readonly groups: readonly LightGroup[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Edits the selected lights together. Untouched fields stay unchanged. */
export function EditSeveralDialog({ chosen, lights, groups, onDone, onClose }: SeveralProps) {
  const [draft, setDraft] = useState<SeveralDraft>({ groups: new Map() });
  const touch = (part: Partial<SeveralDraft>) => setDraft((before) => ({ ...before, ...part }));
  const [isTried, setTried] = useState(false);
  /** Address changes awaiting confirmation; undefined if no confirmation is open. */
  const [asking, setAsking] = useState<readonly AddressMove[]>();
  const { edit } = useSeveralCalls();
  const lightType = common(chosen, (light) => light.lightType);
  const modes = useLightModes(lightType ?? "").data?.modes ?? [];
  const channelCount = modes.find(({ name }) => name === draft.mode)?.channelCount;
  const fields = fieldsOf(chosen, draft);
  const forecast =
    fields.mode !== undefined && channelCount
      ? forecastMode(lights, new Set(chosen.map(({ id }) => id)), channelCount)
      : undefined;
  const problem = homeProblem(chosen, draft);
  const isNothing = Object.keys(fields).length === 0;
  const save = (moves: readonly AddressMove[]) =>
    edit.mutate(
      { lights: chosen, fields, moves },
      {
        onSuccess: () => {
          showToast(text.saved(chosen.length));
          onDone();
          onClose();
        },
        onError: (error) => setAsking(refusedMoves(error)),
      },
    );
  const submit = () => {
    setTried(true);
    if (problem || isNothing) return;
    const moves = forecast?.moves ?? [];
    if (moves.length > 0) setAsking(moves);
    else save([]);
  };
  return (
    <FormDialog
      wide
      title={text.title(chosen.length)}
      dirty={!isNothing}
      submitLabel={text.save}
      pending={edit.isPending}
      onSubmit={submit}
      onClose={onClose}
      question={
        asking && (
          <ConfirmDialog
            open
            title={text.movesTitle}
            message={text.movesQuestion(movesInWords(asking))}
            confirmLabel={text.movesConfirm}
            pending={edit.isPending}
            onClose={() => setAsking(undefined)}
            onConfirm={() => save(asking)}
          />
        )
      }
    >
      <p className="text-muted">{text.which(chosen.map(({ label }) => label || lightStrings.noLabel))}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {lightType === undefined ? (
          <p className="self-end text-xs text-muted">{text.otherTypes}</p>
        ) : (
          <Choice
            label={text.mode}
            value={draft.mode ?? common(chosen, ({ mode }) => mode)}
            options={modes.map(({ name, channelCount: n }) => [name, lightStrings.form.modeOption(name, n)])}
            onChoose={(mode) => touch({ mode })}
          />
        )}
        <Choice
          label={text.status}
          value={sideOf(draft.enabled ?? common(chosen, ({ enabled }) => enabled))}
          options={[
            ["true", lightStrings.on],
            ["false", lightStrings.off],
          ]}
          onChoose={(side) => touch({ enabled: side === "true" })}
        />
      </div>
      {forecast && (
        <>
          <AddressNotes forecast={{ ...forecast, moves: [] }} />
          {forecast.moves.length > 0 && (
            <p role="status" className={ADDRESS_NOTE}>
              {text.moves(forecast.moves.length)} {movesInWords(forecast.moves)}
            </p>
          )}
        </>
      )}
      {groups.length > 0 && (
        <fieldset>
          <legend className="mb-1 text-xs font-medium">{text.groups}</legend>
          <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-3">
            {groups.map(({ id, name }) => (
              <GroupBox
                key={id}
                label={name || id}
                areIn={draft.groups.get(id) ?? areIn(chosen, id)}
                onChange={(isIn) => touch({ groups: new Map(draft.groups).set(id, isIn) })}
              />
            ))}
          </div>
          {groups.some(({ id }) => areIn(chosen, id) === undefined) && (
            <p className="text-xs text-muted">{text.groupsHint}</p>
          )}
        </fieldset>
      )}
      <AimFields chosen={chosen} draft={draft} touch={touch} problem={isTried ? problem : undefined} />
      {isTried && isNothing && !problem && <p role="status">{text.nothing}</p>}
      {!asking && edit.error && <FormError error={edit.error} />}
    </FormDialog>
  );
}

/** Home position and inversion fields; shown only if every selected fixture has pan or tilt. */
function AimFields({
  chosen,
  draft,
  touch,
  problem,
}: {
  readonly chosen: readonly Light[];
  readonly draft: SeveralDraft;
  readonly touch: (part: Partial<SeveralDraft>) => void;
  readonly problem: ReturnType<typeof homeProblem>;
}) {
  const rig = useStageRig(chosen).data;
  const turning = new Set(
    rig?.lights.filter(({ mode }) => mode.channels.some(({ kind }) => kind === "pan" || kind === "tilt")).map(({ id }) => id), // prettier-ignore
  );
  if (!chosen.every(({ id }) => turning.has(id))) return null;
  const turns = [
    ["false", text.turns.straight],
    ["true", text.turns.inverted],
  ] as const;
  const error = problem && (problem === "half" ? text.homeHalf : text.homeWrong);
  const home = (axis: "pan" | "tilt", typed: string | undefined) => ({
    type: "number",
    min: 0,
    max: 100,
    placeholder: text.several,
    value: typed ?? commonHome(chosen, axis) ?? "",
  });
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium">{text.aim}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={text.homePan}
          error={error}
          {...home("pan", draft.homePan)}
          onChange={({ target }) => touch({ homePan: target.value })}
        />
        <TextField
          label={text.homeTilt}
          error={error}
          {...home("tilt", draft.homeTilt)}
          onChange={({ target }) => touch({ homeTilt: target.value })}
        />
        <Choice
          label={text.invertPan}
          value={sideOf(draft.invertPan ?? common(chosen, (light) => aimOf(light).invertPan))}
          options={turns}
          onChoose={(side) => touch({ invertPan: side === "true" })}
        />
        <Choice
          label={text.invertTilt}
          value={sideOf(draft.invertTilt ?? common(chosen, (light) => aimOf(light).invertTilt))}
          options={turns}
          onChoose={(side) => touch({ invertTilt: side === "true" })}
        />
      </div>
    </fieldset>
  );
}

const sideOf = (side: boolean | undefined) => (side === undefined ? undefined : String(side));

/** Select that shows "Several values" while the selected lights differ. */
function Choice({
  label,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, word: string])[];
  readonly onChoose: (value: string) => void;
}) {
  return (
    <SelectField label={label} value={value ?? ""} onChange={({ target }) => onChoose(target.value)}>
      {value === undefined && (
        <option value="" disabled>
          {text.several}
        </option>
      )}
      {options.map(([option, word]) => (
        <option key={option} value={option}>
          {word}
        </option>
      ))}
    </SelectField>
  );
}

/** Checkbox with a mixed state while only some of the lights are in the group. */
function GroupBox({
  label,
  areIn: isIn,
  onChange,
}: {
  readonly label: string;
  readonly areIn: boolean | undefined;
  readonly onChange: (isIn: boolean) => void;
}) {
  const isMixed = isIn === undefined;
  return (
    <label className="flex min-h-7 items-center gap-2 text-sm">
      <Checkbox
        checked={isIn ?? false}
        isMixed={isMixed}
        ref={(box) => {
          if (box) box.indeterminate = isMixed;
        }}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}
