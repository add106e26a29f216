import { LightsService, type FoundDevice, type Output } from "@followspot/contract/lights";
import { useWatch } from "react-hook-form";
import { EditDialog, fieldsIn, useEdit, type FieldRows } from "../ui/edit-dialog.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/fields.tsx";
import { Options } from "../ui/options.tsx";
import { fieldsOf, isUsb, wholeNumber, type OutputFields } from "./output-fields.ts";
import { useSaveOutput } from "./outputs.queries.ts";
import { outputStrings } from "./outputs.strings.ts";

const text = outputStrings.form;
const MAX_UNIVERSE = 63_999;
const MAX_ARTNET = 32_767;
const MAX_LABEL = 100;

type TextName = Exclude<keyof OutputFields, "protocol" | "multicast" | "enabled">;

const isGiven = (sentence: string) => (value: string) => value.trim() !== "" || sentence;

const ROWS: FieldRows<OutputFields, TextName> = {
  label: { label: text.label, hint: text.labelHint, most: MAX_LABEL },
  device: { label: text.device, hint: text.deviceHint, list: "usb-adapters", rule: isGiven(text.deviceNeeded) },
  host: { label: text.host, hint: text.hostHint, rule: isGiven(text.hostNeeded) },
  localAddress: { label: text.localAddress, hint: text.localAddressHint },
  universe: { label: text.universe, hint: text.universeHint, inputMode: "numeric", rule: wholeNumber(1, MAX_UNIVERSE) },
  portAddress: {
    label: text.portAddress,
    hint: text.portAddressHint,
    inputMode: "numeric",
    rule: wholeNumber(0, MAX_ARTNET),
  },
  offsetMs: { label: text.offset, hint: text.offsetHint, rule: wholeNumber(-1000, 1000) },
  rateHz: { label: text.rate, hint: text.rateHint, inputMode: "numeric", rule: wholeNumber(1, 44, true) },
  priority: { label: text.priority, hint: text.priorityHint, inputMode: "numeric", rule: wholeNumber(0, 200) },
  port: { label: text.port, hint: text.portHint, inputMode: "numeric", rule: wholeNumber(1, 65_535, true) },
};

/** sACN calls its port address a universe. */
const SACN_ROWS: typeof ROWS = {
  ...ROWS,
  portAddress: {
    label: text.wireUniverse,
    hint: text.wireUniverseHint,
    inputMode: "numeric",
    rule: wholeNumber(1, MAX_UNIVERSE),
  },
};

/** Dialog that adds an output, or edits `output`. */
export function OutputDialog({
  output,
  universe,
  devices,
  onClose,
}: {
  readonly output: Output | undefined;
  /** Universe of a new output. */
  readonly universe: number;
  readonly devices: readonly FoundDevice[];
  readonly onClose: () => void;
}) {
  const edit = useEdit(output, (existing) => fieldsOf(existing, universe));
  const save = useSaveOutput(edit.base);
  const { register, control, getValues, setValue } = edit.form;
  const [protocol, multicast] = useWatch({ control, name: ["protocol", "multicast"] });
  const field = fieldsIn(edit.form, protocol === "sacn" ? SACN_ROWS : ROWS);
  const toMulticast = protocol === "sacn" && multicast;
  return (
    <EditDialog
      edit={edit}
      save={save}
      title={output ? text.editTitle : text.createTitle}
      submitLabel={output ? text.update : text.create}
      read={async (call, { id }) => {
        const { outputs } = await call(LightsService.method.listOutputs, {});
        return outputs.find((each) => each.id === id);
      }}
      labelOf={(name) => NAMES[name]}
      onSubmit={(fields) => save.mutate(fields, { onSuccess: onClose })}
      onClose={onClose}
    >
      <SelectField
        autoFocus
        label={text.protocol}
        {...register("protocol", {
          // sACN has no universe 0; usually it has the same number as ours.
          onChange: () => {
            if (getValues("protocol") === "sacn" && Number(getValues("portAddress")) === 0) {
              setValue("portAddress", getValues("universe"));
            }
          },
        })}
      >
        <Options of={Object.entries(outputStrings.protocols)} />
      </SelectField>
      <TextField {...field("label")} />
      {isUsb(protocol) && (
        <>
          <TextField {...field("device")} />
          <datalist id="usb-adapters">
            <Options of={devices.map(({ path, name }) => [path, name])} />
          </datalist>
        </>
      )}
      {protocol === "sacn" && <CheckboxField label={text.multicast} {...register("multicast")} />}
      {!isUsb(protocol) && !toMulticast && <TextField {...field("host")} />}
      {toMulticast && <TextField {...field("localAddress")} />}
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <TextField {...field("universe")} />
        {!isUsb(protocol) && <TextField key={protocol} {...field("portAddress")} />}
        <TextField {...field("offsetMs")} />
        <TextField {...field("rateHz")} />
        {protocol === "sacn" && <TextField {...field("priority")} />}
        {!isUsb(protocol) && <TextField {...field("port")} />}
      </div>
      <CheckboxField label={text.enabled} {...register("enabled")} />
    </EditDialog>
  );
}

/** Labels of fields that another user has changed. */
const NAMES: Readonly<Record<keyof OutputFields, string>> = {
  protocol: "Protocol",
  label: text.label,
  host: "Host",
  port: text.port,
  multicast: "Multicast",
  localAddress: text.localAddress,
  priority: text.priority,
  device: "Serial port",
  universe: "Universe",
  portAddress: "Port address",
  offsetMs: text.offset,
  rateHz: text.rate,
  enabled: text.enabled,
};
