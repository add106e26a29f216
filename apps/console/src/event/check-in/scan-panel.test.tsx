// @vitest-environment jsdom
import { act } from "react";
import { expect, test } from "vitest";
import { show } from "../../testing/show.tsx";
import { ScanPanel } from "./scan-panel.tsx";

// kept: Doors | After a check-in was undone the focus was on a button, and a scanner's keys reached no field | failed on
// the old code
test.each([
  ["a button", "<button></button>", true],
  ["a link", "<a href=#></a>", true],
  ["a row of the list", "<p tabindex=0></p>", true],
  ["a check box", "<input type=checkbox>", true],
  ["a search field", "<input type=search>", false],
  ["a text area", "<textarea></textarea>", false],
  ["a list of choices", "<select></select>", false],
  ["a dialog", "<div role=alertdialog><button></button></div>", false],
])("a scanner's keys go into the code field while %s has the focus", async (_what, html, isCaught) => {
  const place = await show(
    <>
      <ScanPanel scans={[]} onScan={() => {}} onAdmit={() => {}} />
      <div id="beside" dangerouslySetInnerHTML={{ __html: html }} />
    </>,
  );
  const target = place.querySelector<HTMLElement>("#beside :is(button, a, [tabindex], input, textarea, select)")!;
  target.focus();
  await act(async () => target.dispatchEvent(new KeyboardEvent("keydown", { key: "v", bubbles: true })));
  const field = place.querySelector("input[maxlength]");
  expect(document.activeElement === field).toBe(isCaught);
});
