// @vitest-environment jsdom
import type { DescMessage, JsonObject } from "@bufbuild/protobuf";
import { BytesValueSchema, StructSchema } from "@bufbuild/protobuf/wkt";
import { useState } from "react";
import { expect, test } from "vitest";
import { button, choose, field, press, show, type } from "../testing/show.tsx";
import { BodyForm } from "./body-form.tsx";

/** Shows the form of a message, and answers what its body is by now. */
async function form(message: DescMessage): Promise<() => unknown> {
  let now: JsonObject = {};
  function Form() {
    const [body, setBody] = useState<JsonObject>({});
    const change = (changed: JsonObject) => {
      now = changed;
      setBody(changed);
    };
    return <BodyForm message={message} body={body} onChange={change} />;
  }
  await show(<Form />);
  return () => now;
}

// The contract has no request with a choice in a map: messages that come with the protocol have both, one within the other.
test("a map, a choice, a list and a message within itself are filled in by fields alone", async () => {
  const body = await form(StructSchema);
  await press("Add fields");
  await type(field("Key of fields 1"), "colour");
  await choose("kind", "listValue");
  await press("Add values");
  expect(body()).toEqual({ fields: { colour: { listValue: { values: [{ nullValue: "NULL_VALUE" }] } } } });
  await press("Leave out values 1");
  await choose("kind", "numberValue");
  await type(field("numberValue"), "0.5");
  expect(body()).toEqual({ fields: { colour: { numberValue: 0.5 } } });
  await press("Leave out fields 1");
  expect(body()).toEqual({ fields: {} });
});

test("no second row is given the key of the first", async () => {
  const body = await form(StructSchema);
  await press("Add fields");
  expect(() => button("Add fields")).toThrow();
  await type(field("Key of fields 1"), "a");
  await press("Add fields");
  await type(field("Key of fields 2"), "a");
  expect(Object.keys((body() as { fields: object }).fields)).toEqual(["a", ""]);
});

test("bytes are typed as base64, and left out once nothing is typed", async () => {
  const body = await form(BytesValueSchema);
  await type(field("value"), "AAH/");
  expect(body()).toEqual({ value: "AAH/" });
  await type(field("value"), "");
  expect(body()).toEqual({});
});
