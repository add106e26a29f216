/** Types of `input` that Space activates. */
const BUTTONS = ["button", "checkbox", "color", "file", "image", "radio", "reset", "submit"];
/** Fields that accept text. Check boxes, radio buttons, sliders and buttons do not. */
const TEXT_FIELDS = [
  `input${[...BUTTONS, "range"].map((type) => `:not([type=${type}])`).join("")}`,
  "textarea",
  "[contenteditable]:not([contenteditable=false])",
].join();
/** Layers over the page that handle keys themselves. A notice also floats over the page, but handles none. */
const LAYERS = "dialog, [role=dialog]:not([data-notice]), [role=alertdialog]:not([data-notice]), [role=menu]";
/** Controls that Space activates. */
const PRESSED_BY_SPACE = [
  "button",
  "summary",
  ...BUTTONS.map((type) => `input[type=${type}]`),
  ...["button", "checkbox", "option", "radio", "switch", "tab"].map((role) => `[role=${role}]`),
].join();
/** Keys that move the focus. */
const MOVES_FOCUS = /^(Tab|Arrow.*|Home|End|Page.*)$/;

/** Whether the last input that can move the focus was the pointer, not a key. */
let isPointing = false;
/** Control that the pointer has focused. `:focus-visible` is no substitute: any key press sets it. */
let focusedByPointer: EventTarget | null = null;

export const isTextField = (element: Element): element is HTMLInputElement | HTMLTextAreaElement =>
  element.matches(TEXT_FIELDS);

/** Whether the key goes to a text field, which has its own undo. */
export const isTyping = ({ target }: KeyboardEvent): boolean => isWithin(target, TEXT_FIELDS);

/** Whether the key belongs to a dialog or a menu over the page. */
export const isInLayer = ({ target }: KeyboardEvent): boolean => isWithin(target, LAYERS);

/**
 * Whether Space presses the focused control: only if the keyboard moved the focus there. After a mouse press the focus stays
 * on a button that the operator no longer looks at.
 */
export const isPressOfControl = ({ key, target }: Pick<KeyboardEvent, "key" | "target">): boolean =>
  key === " " && target !== focusedByPointer && isWithin(target, PRESSED_BY_SPACE);

/** Whether the key is no shortcut of the page: it goes to a text field, a list of choices, a dialog or the browser. */
export const isElsewhere = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.defaultPrevented ||
  isTyping(event) ||
  isInLayer(event) ||
  isWithin(event.target, "select");

const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** Tracks which device moves the focus. Captures events before the page handles them. */
function followFocus(): void {
  const capture = { capture: true, passive: true };
  const onPointer = ({ target }: Event): void => {
    isPointing = true;
    // A press on the focused control does not move the focus.
    const focused = document.activeElement;
    if (target instanceof Node && focused?.contains(target)) focusedByPointer = focused;
  };
  const onKey = ({ key }: KeyboardEvent): void => {
    if (MOVES_FOCUS.test(key)) isPointing = false;
  };
  const onFocus = ({ target }: Event): void => {
    focusedByPointer = isPointing ? target : null;
  };
  addEventListener("pointerdown", onPointer, capture);
  addEventListener("keydown", onKey, capture);
  addEventListener("focusin", onFocus, capture);
}

if (typeof document !== "undefined") followFocus();
