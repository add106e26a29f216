import { ScalarType, type DescEnum, type DescField, type DescMessage, type JsonObject, type JsonValue } from "@bufbuild/protobuf"; // prettier-ignore
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { isObject, saidIn, sayIn, typedAs } from "./body-edit.ts";
import { docsStrings } from "./docs.strings.ts";
import { exampleOf } from "./example-body.ts";

const text = docsStrings.form;

type Type = DescMessage | DescEnum | ScalarType;

interface Editor<Value> {
  readonly label: string;
  readonly value: Value;
  /** With undefined it is left out. */
  readonly onChange: (value: JsonValue | undefined) => void;
}

/** A body as fields of its message. It keeps nothing itself: what is typed is in the body, and what is in the body is shown. */
export function BodyForm({
  message,
  body,
  onChange,
}: {
  readonly message: DescMessage;
  readonly body: JsonObject;
  readonly onChange: (body: JsonObject) => void;
}) {
  const choices = message.oneofs.filter(({ fields }) => fields.length > 1);
  const alone = message.fields.filter(({ oneof }) => !oneof || !choices.includes(oneof));
  const editor = (field: DescField) => (
    <FieldEditor
      key={field.name}
      field={field}
      label={field.jsonName}
      value={saidIn(body, field)}
      onChange={(value) => onChange(sayIn(body, field, value))}
    />
  );
  if (message.fields.length === 0) return <p className="text-xs text-muted">{docsStrings.noFields}</p>;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {alone.map(editor)}
      {choices.map((choice) => {
        const chosen = choice.fields.find((field) => saidIn(body, field) !== undefined);
        const choose = (name: string) => {
          const field = choice.fields.find(({ jsonName }) => jsonName === name);
          if (field) onChange(sayIn(body, field, firstOf(field)));
          else if (chosen) onChange(sayIn(body, chosen, undefined));
        };
        return (
          <Group key={choice.name} name={docsStrings.oneOf(choice.localName)}>
            <Choice
              label={choice.localName}
              value={chosen?.jsonName ?? ""}
              names={choice.fields.map(({ jsonName }) => jsonName)}
              onChoose={choose}
            />
            {chosen && editor(chosen)}
          </Group>
        );
      })}
    </div>
  );
}

function FieldEditor({ field, label, value, onChange }: Editor<JsonValue | undefined> & { readonly field: DescField }) {
  switch (field.fieldKind) {
    case "list":
      return (
        <ListEditor label={label} type={typeIn(field)} value={Array.isArray(value) ? value : []} onChange={onChange} />
      );
    case "map":
      return <MapEditor label={label} type={typeIn(field)} value={isObject(value) ? value : {}} onChange={onChange} />;
    default:
      return <ValueEditor label={label} type={typeIn(field)} value={value} onChange={onChange} />;
  }
}

function ListEditor({ label, type, value, onChange }: Editor<readonly JsonValue[]> & { readonly type: Type }) {
  return (
    <Group name={label}>
      {value.map((item, at) => (
        <Removable
          key={at}
          name={text.nth(label, at)}
          onRemove={() => onChange(value.filter((_, other) => other !== at))}
        >
          <ItemEditor
            label={text.nth(label, at)}
            type={type}
            value={item}
            onChange={(changed) => onChange(value.with(at, changed))}
          />
        </Removable>
      ))}
      <Add name={label} onAdd={() => onChange([...value, emptyOf(type)])} />
    </Group>
  );
}

function MapEditor({ label, type, value, onChange }: Editor<JsonObject> & { readonly type: Type }) {
  const rows = Object.entries(value);
  const change = (changed: readonly (readonly [string, JsonValue])[]) => onChange(Object.fromEntries(changed));
  return (
    <Group name={label}>
      {rows.map(([key, item], at) => (
        <Removable key={at} name={text.nth(label, at)} onRemove={() => change(rows.toSpliced(at, 1))}>
          <TextField
            label={text.keyOf(text.nth(label, at))}
            value={key}
            // Two rows of one key would be one: the letter that makes them so is not taken.
            onChange={({ target }) => target.value in value || change(rows.with(at, [target.value, item]))}
          />
          <ItemEditor
            label={text.nth(label, at)}
            type={type}
            value={item}
            onChange={(changed) => change(rows.with(at, [key, changed]))}
          />
        </Removable>
      ))}
      {!("" in value) && <Add name={label} onAdd={() => change([...rows, ["", emptyOf(type)]])} />}
    </Group>
  );
}

/** One value of a list or a map: it cannot be left out by itself; emptied, it is an empty text, of which the check speaks. */
function ItemEditor({
  label,
  type,
  value,
  onChange,
}: {
  readonly label: string;
  readonly type: Type;
  readonly value: JsonValue;
  readonly onChange: (value: JsonValue) => void;
}) {
  if (isObject(value) && typeof type !== "number" && type.kind === "message") {
    return (
      <Group name={label}>
        <BodyForm message={type} body={value} onChange={onChange} />
      </Group>
    );
  }
  return <ValueEditor label={label} type={type} value={value} onChange={(changed) => onChange(changed ?? "")} />;
}

function ValueEditor({ label, type, value, onChange }: Editor<JsonValue | undefined> & { readonly type: Type }) {
  if (typeof type === "number") return <ScalarEditor label={label} type={type} value={value} onChange={onChange} />;
  if (type.kind === "enum") {
    const names = type.values.map(({ name }) => name);
    const name = typeof value === "number" ? type.value[value]?.name : value;
    const choose = (chosen: string) => onChange(chosen || undefined);
    return <Choice label={label} value={typeof name === "string" ? name : ""} names={names} onChoose={choose} />;
  }
  if (type.typeName === "google.protobuf.Timestamp") {
    return (
      <TextField
        label={label}
        hint={text.moment}
        value={typeof value === "string" ? value : ""}
        onChange={({ target }) => onChange(target.value || undefined)}
      />
    );
  }
  return (
    <Group name={label}>
      {isObject(value) ? (
        <Removable name={label} onRemove={() => onChange(undefined)}>
          <BodyForm message={type} body={value} onChange={onChange} />
        </Removable>
      ) : (
        <Add name={label} onAdd={() => onChange(emptyOf(type))} />
      )}
    </Group>
  );
}

function ScalarEditor({ label, type, value, onChange }: Editor<JsonValue | undefined> & { readonly type: ScalarType }) {
  if (type === ScalarType.BOOL) {
    const said = typeof value === "boolean" ? String(value) : "";
    const choose = (chosen: string) => onChange(chosen === "" ? undefined : chosen === "true");
    return <Choice label={label} value={said} names={["true", "false"]} onChoose={choose} />;
  }
  const isText = type === ScalarType.STRING;
  return (
    <TextField
      label={label}
      hint={type === ScalarType.BYTES ? text.bytes : undefined}
      inputMode={isText || type === ScalarType.BYTES ? "text" : "decimal"}
      value={typeof value === "string" || typeof value === "number" ? String(value) : ""}
      onChange={({ target }) => onChange(target.value === "" && !isText ? undefined : typedAs(type, target.value))}
    />
  );
}

function Choice({
  label,
  value,
  names,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly onChoose: (name: string) => void;
}) {
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{text.leftOut}</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}

function Group({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 border-l pl-3">
      <legend className="mb-2 text-xs font-medium">{name}</legend>
      {children}
    </fieldset>
  );
}

function Removable({
  name,
  onRemove,
  children,
}: {
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {children}
      <Button variant="ghost" className="self-start" onClick={onRemove}>
        {text.leaveOut(name)}
      </Button>
    </div>
  );
}

const Add = ({ name, onAdd }: { readonly name: string; readonly onAdd: () => void }) => (
  <Button className="self-start" onClick={onAdd}>
    {text.add(name)}
  </Button>
);

/** What one value of a field is: of a list or a map, what it holds. */
function typeIn(field: DescField): Type {
  const type = field.message ?? field.enum ?? field.scalar;
  return type ?? ScalarType.STRING;
}

/** What a field holds when it is chosen. */
function firstOf(field: DescField): JsonValue {
  if (field.fieldKind === "list") return [];
  return field.fieldKind === "map" ? {} : emptyOf(typeIn(field));
}

function emptyOf(type: Type): JsonValue {
  if (type === ScalarType.BOOL) return false;
  if (type === ScalarType.STRING || type === ScalarType.BYTES) return "";
  if (typeof type === "number") return 0;
  if (type.kind === "enum") return type.values[0]?.name ?? 0;
  return type.typeName === "google.protobuf.Timestamp" ? new Date(0).toISOString() : exampleOf(type);
}
