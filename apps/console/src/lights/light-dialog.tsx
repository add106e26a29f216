import { CHANNEL_KINDS } from "@followspot/contract";
import { LightsService, type Light, type LightGroup } from "@followspot/contract/lights";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { useCan } from "../auth/can.ts";
import { LightTypeField } from "../fixtures/light-type-field.tsx";
import { errorText } from "../lib/errors.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { EditDialog, useEdit } from "../ui/edit-dialog.tsx";
import { Options } from "../ui/options.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/fields.tsx";
import { forecastSave, refusedMoves, type AddressForecast, type AddressMove } from "./address-moves.ts";
import { AddressNotes, movesInWords } from "./address-notes.tsx";
import { channelsOf, configOf, countOf, orderRule } from "./channel-order.ts";
import { DipNote } from "./dip-switches.tsx";
import { LIGHT_LIMITS, lightRules, nextPosition, reachError } from "./light-rules.ts";
import {
  LIGHTS,
  onlyMode,
  useCalculatedAddress,
  useLightModes,
  useSaveLight,
  useSeveralCalls,
  type LightFields,
  type Place,
} from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";
import { patchStrings } from "./patch.strings.ts";
import { UniverseMap } from "./universe-map.tsx";
import { DRAFT, toSlotLight } from "./universe-slots.ts";

const text = lightStrings.form;
const NOTHING: AddressForecast = {
  moves: [],
  addresses: new Map(),
  own: undefined,
  conflict: undefined,
  unplaced: undefined,
};
const KINDS = CHANNEL_KINDS.join(", ");

interface Fields extends Omit<LightFields, "dmxOverride" | "universe" | "channelConfig"> {
  readonly dmxOverride: string;
  readonly universe: string;
  /** Custom channel order, as typed. */
  readonly channels: string;
}

/** Save awaiting confirmation, because it readdresses other lights. */
interface Asked {
  readonly fields: LightFields;
  readonly moves: readonly AddressMove[];
}

/** Dialog that creates a light, or edits `light`. Saving asks for confirmation if other lights get new addresses. */
export function LightDialog({
  light,
  lights,
  groups,
  onClose,
}: {
  readonly light: Light | undefined;
  /** Every patched light; undefined until the whole list is loaded. */
  readonly lights: readonly Light[] | undefined;
  readonly groups: readonly LightGroup[];
  readonly onClose: () => void;
}) {
  const edit = useEdit(light, (existing) => fieldsOf(existing, groups));
  const [asking, setAsking] = useState<Asked>();
  const save = useSaveLight(edit.base);
  const can = useCan();
  const { restore } = useSeveralCalls();
  const { register, control, setValue, getFieldState, resetField, formState } = edit.form;
  const { errors } = formState;
  register("lightType", { validate: lightRules.lightType });
  const [label, lightType, mode, position, dmxOverride, typedUniverse, channels] = useWatch({
    control,
    name: ["label", "lightType", "mode", "position", "dmxOverride", "universe", "channels"],
  });
  // Default to the last position, so that the address preview appears immediately. The list may load after the form opens.
  const next = light || !lights ? undefined : nextPosition(lights);
  useEffect(() => {
    if (next && !getFieldState("position").isDirty) resetField("position", { defaultValue: next });
  }, [next, getFieldState, resetField]);
  const modes = useLightModes(lightType);
  const only = onlyMode(modes.data);
  useEffect(() => {
    if (only && mode === "") setValue("mode", only, { shouldDirty: true, shouldValidate: formState.isSubmitted });
  }, [only, mode, setValue, formState.isSubmitted]);
  const chosenMode = modes.data?.modes.find(({ name }) => name === mode);
  const modeChannels = chosenMode?.channelCount ?? 0;
  const channelCount = modeChannels > 0 ? countOf(channels) || modeChannels : 0;
  const override = overrideOf(dmxOverride);
  const reach = reachError(override, channelCount);
  const universe = lightRules.universe(typedUniverse) === true ? Number(typedUniverse) : (light?.universe ?? 0);
  const place = { position: position.trim(), channelCount, universe, lightId: light?.id ?? 0 };
  const isCalculated = dmxOverride.trim() === "";
  const calculated = useCalculatedAddress(place, isCalculated);
  const forecast =
    lights && channelCount > 0 && !reach
      ? forecastSave(lights, { ...place, id: place.lightId, label, dmxOverride: override })
      : NOTHING;

  const store = (fields: LightFields, moves: readonly AddressMove[]) =>
    save.mutate(
      { fields, moves },
      {
        onSuccess: onClose,
        onError: (error) => {
          // The patch has changed since: ask again with the server's current moves.
          const now = refusedMoves(error);
          setAsking(now && { fields, moves: now });
        },
      },
    );
  const submit = ({ channels: typedChannels, ...typed }: Fields) => {
    const fields = {
      ...typed,
      dmxOverride: override,
      universe,
      channelConfig: configOf(typedChannels, light?.channelConfig ?? ""),
      ...(chosenMode?.hazes === false && { hazeInShows: "" }),
    };
    // A deleted light readdresses nothing until it is restored, so no confirmation is needed yet.
    if (forecast.moves.length > 0 && !isGoneNow) setAsking({ fields, moves: forecast.moves });
    else store(fields, []);
  };
  const isGoneNow = light !== undefined && lights?.every(({ id }) => id !== light.id) === true;
  const forgetOrder = () => setValue("channels", "");
  return (
    <EditDialog
      wide
      edit={edit}
      save={save}
      error={(asking ? undefined : save.error) ?? modes.error}
      title={light ? text.editTitle : text.createTitle}
      submitLabel={light ? text.submitUpdate : text.submitCreate}
      read={(call, { id }) => LIGHTS.one(call, String(id))}
      labelOf={(name) => text.names[name]}
      deletion={{
        isGoneNow,
        restore: can(LightsService.method.restoreLights) ? (deleted) => restore([deleted], groups) : undefined,
      }}
      onSubmit={submit}
      onClose={onClose}
      question={
        asking && (
          <ConfirmDialog
            open
            title={text.movesTitle}
            message={text.movesQuestion(movesInWords(asking.moves))}
            confirmLabel={text.movesConfirm}
            pending={save.isPending}
            onClose={() => setAsking(undefined)}
            onConfirm={() => store(asking.fields, asking.moves)}
          />
        )
      }
    >
      <TextField
        autoFocus
        label={text.label}
        error={errors.label?.message}
        most={LIGHT_LIMITS.label}
        {...register("label", { validate: lightRules.label })}
      />
      {/* Bottom-aligned, because the type field has a search box above its select. */}
      <div className="grid items-end gap-3 sm:grid-cols-2">
        <LightTypeField
          label={text.type}
          choose={text.chooseType}
          value={lightType}
          error={errors.lightType?.message}
          onChange={(key) => {
            setValue("lightType", key, { shouldDirty: true, shouldValidate: formState.isSubmitted });
            setValue("mode", "", { shouldValidate: formState.isSubmitted });
            forgetOrder();
          }}
        />
        {/* The key remounts the select after the modes load, because a select drops a value without a matching option. */}
        <SelectField
          key={modes.isSuccess ? lightType : "waiting for modes"}
          label={text.mode}
          error={errors.mode?.message}
          disabled={lightType === ""}
          {...register("mode", { validate: lightRules.mode, onChange: forgetOrder })}
        >
          <option value="">{text.chooseMode}</option>
          {modes.data?.modes.map(({ name, channelCount: channels }) => (
            <option key={name} value={name}>
              {text.modeOption(name, channels)}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
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
      {chosenMode?.undriven && (
        <p role="status" className="rounded-md border bg-raised px-3 py-2">
          {chosenMode.undriven}
        </p>
      )}
      {isCalculated && calculated.data && channelCount > 0 && position.trim() !== "" && (
        <p role="status" className="rounded-md border bg-raised px-3 py-2 text-muted">
          {text.calculated(calculated.data.dmxAddress, calculated.data.endAddress)}
        </p>
      )}
      {isCalculated && calculated.error && forecast.unplaced === undefined && (
        <p role="alert" className="text-xs text-danger">
          {text.notCalculated}: {errorText(calculated.error)}
        </p>
      )}
      <AddressNotes forecast={forecast} />
      {forecast.own !== undefined && <DipNote address={forecast.own} />}
      {lights && channelCount > 0 && (
        <UniverseMap isSmall universe={universe || 1} lights={mapOf(lights, place, label, forecast)} />
      )}
      <details className="rounded-md border px-3 py-2" open={errors.channels !== undefined || undefined}>
        <summary className="text-xs font-medium">{patchStrings.channels.title}</summary>
        <div className="pt-2">
          <TextField
            label={patchStrings.channels.title}
            hint={patchStrings.channels.hint(KINDS)}
            error={errors.channels?.message}
            {...register("channels", { validate: orderRule })}
          />
        </div>
      </details>
      {groups.length > 0 && (
        <fieldset>
          <legend className="mb-1 text-xs font-medium">{text.groups}</legend>
          <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-3">
            {groups.map((group) => (
              <CheckboxField key={group.id} label={group.name || group.id} value={group.id} {...register("groups")} />
            ))}
          </div>
        </fieldset>
      )}
      {light && chosenMode?.hazes && (
        <SelectField label={text.haze} hint={text.hazeHint} {...register("hazeInShows")}>
          <Options of={text.hazeUses} />
        </SelectField>
      )}
      {light && <CheckboxField label={text.enabled} {...register("enabled")} />}
    </EditDialog>
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
    hazeInShows: light?.hazeInShows ?? "",
    groups: light ? groupsOf(light, groups) : [],
    channels: channelsOf(light?.channelConfig ?? ""),
  };
}

/** Returns the group IDs of a light; if the light lists none, derives them from the groups' members. */
function groupsOf(light: Light, groups: readonly LightGroup[]): string[] {
  if (light.groups.length > 0) return [...light.groups];
  return groups.filter(({ fixtureIds }) => fixtureIds.includes(light.id)).map(({ id }) => id);
}

/** Parses the typed address override; undefined if it is empty or invalid. */
function overrideOf(typed: string): number | undefined {
  return typed.trim() !== "" && lightRules.dmxOverride(typed) === true ? Number(typed) : undefined;
}

/** Returns the universe map after the save: the drafted light plus the others at their new addresses. */
function mapOf(lights: readonly Light[], draft: Place, label: string, { addresses, own }: AddressForecast) {
  const others = lights
    .filter(({ id, universe }) => id !== draft.lightId && universe === draft.universe)
    .map((light) => ({ ...toSlotLight(light), address: addresses.get(light.id) ?? light.dmxAddress }));
  if (own === undefined) return others;
  return [
    ...others,
    {
      id: DRAFT,
      label: label.trim() || text.unnamed,
      address: own,
      channelCount: draft.channelCount,
      isOverride: true,
    },
  ];
}
