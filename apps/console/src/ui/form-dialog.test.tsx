// @vitest-environment jsdom
import { act, useState } from "react";
import { expect, test } from "vitest";
import { button, choose, eventually, field, press, show, type } from "../testing/show.tsx";
import { SelectField, TextField } from "./fields.tsx";
import { FormDialog } from "./form-dialog.tsx";

function Screen({ onSubmit }: { readonly onSubmit: (text: string) => void }) {
  const [text, setText] = useState("Doors");
  const [kind, setKind] = useState("a");
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return null;
  return (
    <FormDialog
      title="Announcement"
      submitLabel="Show it"
      pending={false}
      onSubmit={() => onSubmit(text)}
      onClose={() => setOpen(false)}
    >
      <TextField label="Text" most={10} value={text} onChange={({ target }) => setText(target.value)} />
      <SelectField label="Kind" value={kind} onChange={({ target }) => setKind(target.value)}>
        <option value="a">A</option>
        <option value="b">B</option>
      </SelectField>
    </FormDialog>
  );
}

const DISCARD = "Discard what you typed?";

// kept: Console | Escape threw away what was typed into an announcement and seven other forms | failed on the old code
test.each([
  ["nothing was changed", false, async () => undefined],
  ["a text was changed", true, () => type(field("Text"), "Bar")],
  ["a text was emptied", true, () => type(field("Text"), "")],
  [
    "a text was changed back",
    false,
    async () => {
      await type(field("Text"), "Bar");
      await type(field("Text"), "Doors");
    },
  ],
  ["a list was changed", false, () => choose("Kind", "b")],
])("after %s, closing asks: %s", async (_name, isAsked, change) => {
  await show(<Screen onSubmit={() => undefined} />);
  await change();
  await press("Close");
  if (isAsked) await eventually(() => expect(document.body.textContent).toContain(DISCARD));
  else await eventually(() => expect(document.querySelector("[role=dialog]")).toBeNull());
});

// kept: Console | A text that is too long was cut without a word | failed on the old code
test.each([
  ["ten chars.", true],
  ["eleven char", false],
])("of %j, sends it whole: %s", async (text, isSent) => {
  const sent: string[] = [];
  await show(<Screen onSubmit={(each) => sent.push(each)} />);
  await type(field("Text"), text);
  await act(async () => button("Show it").click());
  expect(sent).toEqual(isSent ? [text] : []);
  expect(document.body.textContent?.includes("Nothing was cut.")).toBe(!isSent);
});
