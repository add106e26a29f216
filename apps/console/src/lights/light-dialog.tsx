import type { Light, LightGroup } from "@followspot/contract/lights";
import { useForm, useWatch } from "react-hook-form";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogBody } from "../ui/dialog.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { lightRules } from "./light-rules.ts";
import {
  useAddressConflicts,
  useCalculatedAddress,
  useLightModes,
  useLightTypes,
  useSaveLight,
} from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";

const text = lightStrings.form;

/** Creates a light, or edits `light`. */
export function LightDialog({
  light,
  groups,
  onClose,
}: {
  readonly light: Light | undefined;
  readonly groups: readonly LightGroup[];
  readonly onClose: () => void;
}) {
  const save = useSaveLight(light);
  const types = useLightTypes();
  const { register, handleSubmit, control, setValue, formState } = useForm({
    defaultValues: {
      label: light?.label ?? "",
      lightType: light?.lightType ?? "",
      mode: light?.mode ?? "",
      position: light?.position ?? "",
      dmxOverride: light?.dmxOverride === undefined ? "" : String(light.dmxOverride),
      enabled: light?.enabled ?? true,
      groups: light ? groupsOf(light, groups) : [],
    },
  });
  const { errors } = formState;
  const [lightType, mode, position, dmxOverride] = useWatch({
    control,
    name: ["lightType", "mode", "position", "dmxOverride"],
  });
  const modes = useLightModes(lightType);
  const channelCount = modes.data?.modes.find(({ name }) => name === mode)?.channelCount ?? 0;
  const override = overrideOf(dmxOverride);
  const place = { position: position.trim(), channelCount, universe: light?.universe ?? 0, lightId: light?.id ?? 0 };
  const calculated = useCalculatedAddress(place, dmxOverride.trim() === "");
  const conflicts = useAddressConflicts(override, place);
  const submit = handleSubmit((fields) =>
    save.mutate(
      {
        ...fields,
        label: fields.label.trim(),
        position: fields.position.trim(),
        dmxOverride: overrideOf(fields.dmxOverride),
      },
      { onSuccess: onClose },
    ),
  );
  return (
    <Dialog open wide title={light ? text.editTitle : text.createTitle} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <FormError error={save.error ?? types.error} />
          <TextField
            autoFocus
            label={text.label}
            error={errors.label?.message}
            maxLength={200}
            {...register("label", { validate: lightRules.label })}
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <SelectField
              key={types.isSuccess ? "types" : "waiting for types"}
              label={text.type}
              error={errors.lightType?.message}
              {...register("lightType", {
                validate: lightRules.lightType,
                onChange: () => setValue("mode", "", { shouldValidate: formState.isSubmitted }),
              })}
            >
              <option value="">{text.chooseType}</option>
              {types.data?.types.map(({ key, name }) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </SelectField>
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
              maxLength={10}
              {...register("position")}
            />
            <TextField
              type="number"
              min={1}
              max={512}
              label={text.override}
              hint={text.overrideHint}
              error={errors.dmxOverride?.message}
              {...register("dmxOverride", { validate: lightRules.dmxOverride })}
            />
          </div>
          {dmxOverride.trim() === "" && calculated.data && channelCount > 0 && position.trim() !== "" && (
            <p role="status" className="rounded-md border bg-raised px-3 py-2 text-muted">
              {text.calculated(calculated.data.dmxAddress, calculated.data.endAddress)}
            </p>
          )}
          {override !== undefined && conflicts.data?.hasConflict && (
            <p role="status" className="rounded-md border border-warn px-3 py-2 text-warn">
              {text.conflict(
                conflicts.data.conflicts.map(({ light: other }) => other?.label || lightStrings.noLabel).join(", "),
              )}
            </p>
          )}
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
    </Dialog>
  );
}

/** A light that names no groups is looked up in the groups' own lists. */
function groupsOf(light: Light, groups: readonly LightGroup[]): string[] {
  if (light.groups.length > 0) return [...light.groups];
  return groups.filter(({ fixtureIds }) => fixtureIds.includes(light.id)).map(({ id }) => id);
}

/** The override as typed, while it is one. */
function overrideOf(text: string): number | undefined {
  return text.trim() !== "" && lightRules.dmxOverride(text) === true ? Number(text) : undefined;
}
