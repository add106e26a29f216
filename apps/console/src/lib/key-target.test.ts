// @vitest-environment jsdom
import { expect, it } from "vitest";
import { isElsewhere, isTyping } from "./key-target.ts";

it.each([
  ["<button></button>", false, false],
  ['<input type="range">', false, false],
  ["<select></select>", false, true],
  ['<input type="search">', true, true],
  ['<div role="alertdialog"><button></button></div>', true, true],
])("of %s, takes keys for text: %s, from shortcuts: %s", (html, forText, fromShortcuts) => {
  document.body.innerHTML = html;
  const target = document.querySelector("button, input, select")!;
  const event = new KeyboardEvent("keydown", { key: "c", bubbles: true });
  target.dispatchEvent(event);
  expect([isTyping(event), isElsewhere(event)]).toEqual([forText, fromShortcuts]);
});
