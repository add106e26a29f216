// @vitest-environment jsdom
import { expect, it } from "vitest";
import { isElsewhere, isInLayer, isTyping } from "./key-target.ts";

it.each([
  ["<button></button>", false, false, false],
  ['<input type="range">', false, false, false],
  ['<input type="checkbox">', false, false, false],
  ["<select></select>", false, false, true],
  ['<input type="search">', true, false, true],
  ['<div role="alertdialog"><button></button></div>', false, true, true],
  ['<div role="dialog" data-notice><button></button></div>', false, false, false],
])("of %s, takes keys for text: %s, for a layer: %s, from shortcuts: %s", (html, forText, forLayer, fromShortcuts) => {
  document.body.innerHTML = html;
  const target = document.querySelector("button, input, select")!;
  const event = new KeyboardEvent("keydown", { key: "c", bubbles: true });
  target.dispatchEvent(event);
  expect([isTyping(event), isInLayer(event), isElsewhere(event)]).toEqual([forText, forLayer, fromShortcuts]);
});
