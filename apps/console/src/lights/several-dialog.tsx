import { GROUP_TYPES } from "@followspot/contract";
import type { Light, LightGroup } from "@followspot/contract/lights";
import { groupTypeOf } from "@followspot/lighting";
import { useId, useState, type ChangeEvent } from "react";
import { useLightType } from "../fixtures/fixtures.queries.ts";
import { LightTypeField } from "../fixtures/light-type-field.tsx";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Options } from "../ui/options.tsx";
import { showToast } from "../ui/toast.tsx";
import { LIGHT_LIMITS, lightRules } from "./light-rules.ts";
import { onlyMode, useLightModes, useSeveralCalls } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";
import { patchStrings } from "./patch.strings.ts";
import {
  draftOf,
  labelsOf,
  lampWord,
  lightsIn,
  MOST_LIGHTS,
  NEW_GROUP,
  nextNumber,
  NO_GROUP,
  stretchInWords,
  stretchProblem,
  usualCount,
  usualGroup,
  usualKind,
  type Kind,
} from "./several-draft.ts";
import { UniverseMap } from "./universe-map.tsx";
import { nextFree } from "./universe-slots.ts";

const text = patchStrings.several;

/** Typed values. Undefined fields show a proposal that follows the other fields. */
interface Typed {
  readonly count: string;
  readonly kind: Kind;
  readonly universe: string;
  readonly address: string | undefined;
  readonly label: string | undefined;
  readonly group: string | undefined;
  readonly groupName: string | undefined;
  readonly groupType: string | undefined;
}

/** Dialog that patches several fixtures of one kind at consecutive addresses. Every field has a default. */
export function SeveralDialog({
  lights,
  groups,
  universe: shownUniverse,
  onClose,
}: {
  /** Every patched light. */
  readonly lights: readonly Light[];
  readonly groups: readonly LightGroup[];
  readonly universe: number;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState<Typed>(() => ({
    count: String(usualCount),
    kind: usualKind(lights),
    universe: String(shownUniverse),
    address: undefined,
    label: undefined,
    group: undefined,
    groupName: undefined,
    groupType: undefined,
  }));
  const problemId = useId();
  const [isDirty, setDirty] = useState(false);
  const [isTried, setTried] = useState(false);
  const change = (next: Partial<Typed>) => {
    // An answer of the server may arrive after further fields were typed.
    setTyped((before) => ({ ...before, ...next }));
    setDirty(true);
  };
  const { add } = useSeveralCalls();
  const { lightType: chosenType, mode: chosenMode } = typed.kind;
  const modes = useLightModes(chosenType);
  const kind = { lightType: chosenType, mode: chosenMode || onlyMode(modes.data) };
  // Labels and the group name derive from the type. Until it is loaded, pars would be labeled "Effect".
  const lightType = useLightType(kind.lightType, []);
  const type = lightType.type?.type;
  const mode = modes.data?.modes.find(({ name }) => name === kind.mode);
  const channelCount = mode?.channelCount ?? 0;

  const count = wholeIn(typed.count, MOST_LIGHTS);
  const universe = lightRules.universe(typed.universe) === true ? Number(typed.universe) : undefined;
  const there = lightsIn(lights, universe ?? 0);
  const lightCount = count ?? 1;
  const proposed = channelCount > 0 ? nextFree(there, channelCount * lightCount) : undefined;
  const addressText = typed.address ?? String(proposed ?? 1);
  const address = wholeIn(addressText, 512);
  const lamp = lampWord(type);
  const label = typed.label ?? lamp;
  const firstNumber = nextNumber(lights, label.trim());
  const [first, last] = labelsOf(label.trim(), lightCount, firstNumber);
  const group = typed.group ?? usualGroup(groups, lamp);
  const groupName = typed.groupName ?? text.plural(lamp);
  const groupType = typed.groupType ?? groupTypeOf([type ?? ""]);
  const stretch = address !== undefined && channelCount > 0 ? { address, channelCount, lightCount } : undefined;
  const stretchName = first === last ? first : `${first} … ${last}`;
  const problem = stretch && universe !== undefined && stretchProblem(there, stretch, stretchName, universe);
  const errors = {
    count: count === undefined ? text.whole(1, MOST_LIGHTS) : undefined,
    address: address === undefined ? text.whole(1, 512) : undefined,
    universe: said(lightRules.universe(typed.universe)),
    label: said(lightRules.label(label)),
    lightType: isTried ? said(lightRules.lightType(kind.lightType)) : undefined,
    mode: isTried ? said(lightRules.mode(kind.mode)) : undefined,
    groupName: group === NEW_GROUP && groupName.trim() === "" ? "Name is required" : undefined,
  };
  // Without a mode there is no stretch.
  const isRight = Object.values(errors).every((error) => error === undefined) && !problem && stretch !== undefined;
  const tried = (error: string | undefined) => (isTried || isDirty ? error : undefined);
  const field = (name: "count" | "label" | "universe" | "address" | "groupName", value: string) => ({
    error: tried(errors[name]),
    value,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change({ [name]: target.value }),
  });

  const submit = () => {
    setTried(true);
    if (!isRight || universe === undefined) return;
    add.mutate(
      {
        ...kind,
        count: lightCount,
        universe,
        firstAddress: stretch.address,
        label: label.trim(),
        firstNumber,
        ...(group === NEW_GROUP
          ? { newGroup: { name: groupName.trim(), type: groupType } }
          : group !== NO_GROUP && { groupId: group }),
      },
      {
        onSuccess: () => {
          onClose();
          showToast(text.done(lightCount, stretchInWords(stretch)));
        },
      },
    );
  };
  return (
    <FormDialog
      wide
      dirty={isDirty}
      title={text.title}
      submitLabel={text.submit(lightCount)}
      pendingLabel={add.isPending ? strings.saving : text.submit(lightCount)}
      pending={add.isPending || modes.isPending || lightType.isLoading}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormError error={add.error ?? modes.error ?? lightType.error} />
      {/* Bottom-aligned, because the type field has a search box above its select. */}
      <div className="grid items-end gap-3 sm:grid-cols-2">
        <TextField inputMode="numeric" label={text.count} {...field("count", typed.count)} />
        <TextField label={text.label} hint={text.labelHint} most={LIGHT_LIMITS.label} {...field("label", label)} />
        <LightTypeField
          label={text.type}
          choose={text.chooseType}
          value={kind.lightType}
          error={errors.lightType}
          onChange={(lightType) => change({ kind: { lightType, mode: "" } })}
        />
        <SelectField
          key={modes.isSuccess ? kind.lightType : "waiting for modes"}
          label={text.mode}
          error={errors.mode}
          disabled={kind.lightType === ""}
          value={kind.mode}
          onChange={({ target }) => change({ kind: { ...kind, mode: target.value } })}
        >
          <option value="">{text.chooseMode}</option>
          <Options
            of={(modes.data?.modes ?? []).map(({ name, channelCount: channels }) => [
              name,
              lightStrings.form.modeOption(name, channels),
            ])}
          />
        </SelectField>
        <TextField
          inputMode="numeric"
          label={text.universe}
          {...field("universe", typed.universe)}
          onChange={({ target }) => change({ universe: target.value, address: undefined })}
        />
        <TextField
          inputMode="numeric"
          label={text.firstAddress}
          hint={text.firstAddressHint}
          problemId={problem ? problemId : undefined}
          {...field("address", addressText)}
        />
        {stretch && universe !== undefined && (
          <p role="status" className="rounded-md border bg-raised px-3 py-2 text-muted sm:col-span-2">
            {text.plan(first, last, stretchInWords(stretch), universe)}
          </p>
        )}
        {problem && (
          <p
            id={problemId}
            role="alert"
            className="flex flex-wrap items-center gap-2 rounded-md border border-danger px-3 py-2 text-danger sm:col-span-2"
          >
            <span className="min-w-0 flex-1">{problem.sentence}</span>
            {problem.free !== undefined && (
              <Button onClick={() => change({ address: String(problem.free) })}>{text.takeFree(problem.free)}</Button>
            )}
          </p>
        )}
        <SelectField label={text.group} value={group} onChange={({ target }) => change({ group: target.value })}>
          <option value={NEW_GROUP}>{text.newGroup(groupName)}</option>
          <option value={NO_GROUP}>{text.noGroup}</option>
          <Options of={groups.map(({ id, name }) => [id, name || id])} />
        </SelectField>
        {group === NEW_GROUP && (
          <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-2">
            <TextField label={text.groupName} most={LIGHT_LIMITS.name} {...field("groupName", groupName)} />
            <SelectField
              label={text.groupType}
              value={groupType}
              onChange={({ target }) => change({ groupType: target.value })}
            >
              {GROUP_TYPES.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </SelectField>
          </div>
        )}
      </div>
      {mode?.undriven && (
        <p role="status" className="rounded-md border bg-raised px-3 py-2">
          {mode.undriven}
        </p>
      )}
      {stretch && universe !== undefined && (
        <UniverseMap isSmall universe={universe} lights={[...there, draftOf(stretch, stretchName)]} />
      )}
    </FormDialog>
  );
}

function wholeIn(typed: string, most: number): number | undefined {
  const value = Number(typed.trim());
  return typed.trim() !== "" && Number.isInteger(value) && value >= 1 && value <= most ? value : undefined;
}

const said = (rule: true | string): string | undefined => (rule === true ? undefined : rule);
