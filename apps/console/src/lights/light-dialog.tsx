import { useTransport } from "@connectrpc/connect-query";
import type { Light, LightGroup } from "@followspot/contract/lights";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { changedFields, mergeFields } from "../lib/list-merge.ts";
import { LightTypeField } from "../fixtures/light-type-field.tsx";
import { caller } from "../lib/list-source.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { ConflictNotice } from "../ui/conflict-notice.tsx";
import { ConfirmDialog, Dialog, DialogActions, DialogBody } from "../ui/dialog.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/fields.tsx";
import { forecastSave, type AddressForecast } from "./address-moves.ts";
import { AddressNotes, movesInWords } from "./address-notes.tsx";
import { LIGHT_LIMITS, lightRules, reachError } from "./light-rules.ts";
import { LIGHTS, useCalculatedAddress, useLightModes, useSaveLight, type LightFields } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";

const text = lightStrings.form;
const NOTHING: AddressForecast = { moves: [], conflict: undefined, unplaced: undefined };

interface Fields extends Omit<LightFields, "dmxOverride" | "universe"> {
  readonly dmxOverride: string;
  readonly universe: string;
}

/** Creates a light, or edits `light`. Says which other lights it would move before it does. */
export function LightDialog({
  light,
  lights,
  groups,
  onClose,
}: {
  readonly light: Light | undefined;
  /** All of them; undefined until they are known. */
  readonly lights: readonly Light[] | undefined;
  readonly groups: readonly LightGroup[];
  readonly onClose: () => void;
}) {
  const transport = useTransport();
  /** The light as read last: a save is refused when it has changed since. */
  const [base, setBase] = useState(light);
  const [asking, setAsking] = useState<LightFields>();
  const save = useSaveLight(base);
  const { register, handleSubmit, control, setValue, getValues, reset, formState } = useForm({
    defaultValues: fieldsOf(light, groups),
  });
  const { errors, isDirty } = formState;
  register("lightType", { validate: lightRules.lightType });
  const [label, lightType, mode, position, dmxOverride, typedUniverse] = useWatch({
    control,
    name: ["label", "lightType", "mode", "position", "dmxOverride", "universe"],
  });
  const modes = useLightModes(lightType);
  const channelCount = modes.data?.modes.find(({ name }) => name === mode)?.channelCount ?? 0;
  const override = overrideOf(dmxOverride);
  const reach = reachError(override, channelCount);
  const universe = lightRules.universe(typedUniverse) === true ? Number(typedUniverse) : (light?.universe ?? 0);
  const place = { position: position.trim(), channelCount, universe, lightId: light?.id ?? 0 };
  const calculated = useCalculatedAddress(place, dmxOverride.trim() === "");
  const forecast =
    lights && channelCount > 0 && !reach
      ? forecastSave(lights, { ...place, id: place.lightId, label, dmxOverride: override })
      : NOTHING;

  const store = (fields: LightFields) =>
    save.mutate(fields, { onSuccess: onClose, onSettled: () => setAsking(undefined) });
  const submit = handleSubmit((fields) => {
    const trimmed = {
      ...fields,
      label: fields.label.trim(),
      position: fields.position.trim(),
      dmxOverride: override,
      universe,
    };
    if (forecast.moves.length > 0) setAsking(trimmed);
    else store(trimmed);
  });
  const goOnFrom = (theirs: Light, fields: Fields) => {
    reset(fieldsOf(theirs, groups));
    reset(fields, { keepDefaultValues: true });
    setBase(theirs);
    save.reset();
  };
  return (
    <Dialog open wide dirty={isDirty} title={light ? text.editTitle : text.createTitle} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <ConflictNotice
            error={save.error ?? modes.error}
            read={(signal) => LIGHTS.one(caller(transport, signal), String(base?.id))}
            differences={(theirs) =>
              changedFields(fieldsOf(base, groups), fieldsOf(theirs, groups)).map((name) => ({
                label: text.names[name],
                theirs: String(fieldsOf(theirs, groups)[name]),
              }))
            }
            onTheirs={(theirs) => goOnFrom(theirs, fieldsOf(theirs, groups))}
            onMine={(theirs) =>
              goOnFrom(theirs, mergeFields(fieldsOf(base, groups), getValues(), fieldsOf(theirs, groups)))
            }
          />
          <TextField
            autoFocus
            label={text.label}
            error={errors.label?.message}
            most={LIGHT_LIMITS.label}
            {...register("label", { validate: lightRules.label })}
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <LightTypeField
              label={text.type}
              choose={text.chooseType}
              value={lightType}
              error={errors.lightType?.message}
              onChange={(key) => {
                setValue("lightType", key, { shouldDirty: true, shouldValidate: formState.isSubmitted });
                setValue("mode", "", { shouldValidate: formState.isSubmitted });
              }}
            />
            {/* A select forgets a value whose option is not there yet. */}
            <SelectField
              key={modes.isSuccess ? lightType : "waiting for modes"}
              label={text.mode}
              error={errors.mode?.message}
              disabled={lightType === ""}
              {...register("mode", { validate: lightRules.mode })}
            >
              <option value="">{text.chooseMode}</option>
              {modes.data?.modes.map(({ name, channelCount: channels }) => (
                <option key={name} value={name}>
                  {text.modeOption(name, channels)}
                </option>
              ))}
            </SelectField>
            <TextField
              inputMode="numeric"
              label={text.position}
              hint={text.positionHint}
              error={errors.position?.message}
              most={LIGHT_LIMITS.position}
              {...register("position", { validate: lightRules.position })}
            />
            <TextField
              type="number"
              min={1}
              max={512}
              label={text.override}
              hint={text.overrideHint}
              error={errors.dmxOverride?.message ?? reach}
              {...register("dmxOverride", {
                validate: (typed) => {
                  const rule = lightRules.dmxOverride(typed);
                  return rule === true ? (reachError(overrideOf(typed), channelCount) ?? true) : rule;
                },
              })}
            />
            <TextField
              inputMode="numeric"
              label={text.universe}
              hint={text.universeHint}
              error={errors.universe?.message}
              {...register("universe", { validate: lightRules.universe })}
            />
          </div>
          {dmxOverride.trim() === "" && calculated.data && channelCount > 0 && position.trim() !== "" && (
            <p role="status" className="rounded-md border bg-raised px-3 py-2 text-muted">
              {text.calculated(calculated.data.dmxAddress, calculated.data.endAddress)}
            </p>
          )}
          <AddressNotes forecast={forecast} />
          {groups.length > 0 && (
            <fieldset>
              <legend className="mb-1 text-xs font-medium">{text.groups}</legend>
              <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-3">
                {groups.map((group) => (
                  <CheckboxField
                    key={group.id}
                    label={group.name || group.id}
                    value={group.id}
                    {...register("groups")}
                  />
                ))}
              </div>
            </fieldset>
          )}
          {light && <CheckboxField label={text.enabled} {...register("enabled")} />}
        </DialogBody>
        <DialogActions>
          <Button large onClick={onClose}>
            {strings.cancel}
          </Button>
          <Button large type="submit" variant="primary" pending={save.isPending}>
            {save.isPending ? strings.saving : light ? text.submitUpdate : text.submitCreate}
          </Button>
        </DialogActions>
      </form>
      {asking && (
        <ConfirmDialog
          open
          title={text.movesTitle}
          message={text.movesQuestion(movesInWords(forecast.moves))}
          confirmLabel={text.movesConfirm}
          pending={save.isPending}
          onClose={() => setAsking(undefined)}
          onConfirm={() => store(asking)}
        />
      )}
    </Dialog>
  );
}

function fieldsOf(light: Light | undefined, groups: readonly LightGroup[]): Fields {
  return {
    label: light?.label ?? "",
    lightType: light?.lightType ?? "",
    mode: light?.mode ?? "",
    position: light?.position ?? "",
    dmxOverride: light?.dmxOverride === undefined ? "" : String(light.dmxOverride),
    universe: String(light?.universe || 1),
    enabled: light?.enabled ?? true,
    groups: light ? groupsOf(light, groups) : [],
  };
}

/** A light that names no groups is looked up in the groups' own lists. */
function groupsOf(light: Light, groups: readonly LightGroup[]): string[] {
  if (light.groups.length > 0) return [...light.groups];
  return groups.filter(({ fixtureIds }) => fixtureIds.includes(light.id)).map(({ id }) => id);
}

/** The override as typed, while it is one. */
function overrideOf(typed: string): number | undefined {
  return typed.trim() !== "" && lightRules.dmxOverride(typed) === true ? Number(typed) : undefined;
}
