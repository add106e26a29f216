/** Types of `input` that Space presses. */
const BUTTONS = ["button", "checkbox", "color", "file", "image", "radio", "reset", "submit"];
/** Fields that take letters. Check boxes, radio buttons, ranges and buttons do not. */
const TEXT_FIELDS = [
  `input${[...BUTTONS, "range"].map((type) => `:not([type=${type}])`).join("")}`,
  "textarea",
  "[contenteditable]:not([contenteditable=false])",
].join();
/** Layers over the page that have keys of their own. A notice floats over the page as well, and has none. */
const LAYERS = "dialog, [role=dialog]:not([data-notice]), [role=alertdialog]:not([data-notice]), [role=menu]";
/** Controls that Space presses. */
const PRESSED_BY_SPACE = [
  "button",
  "summary",
  ...BUTTONS.map((type) => `input[type=${type}]`),
  ...["button", "checkbox", "option", "radio", "switch", "tab"].map((role) => `[role=${role}]`),
].join();
/** Keys that move the focus. */
const MOVES_FOCUS = /^(Tab|Arrow.*|Home|End|Page.*)$/;

/** Whether the pointer was used last, and not a key that moves the focus. */
let isPointing = false;
/** The control that a mouse or finger has focused. `:focus-visible` cannot tell: any key press turns it on. */
let focusedByPointer: EventTarget | null = null;

export const isTextField = (element: Element): element is HTMLInputElement | HTMLTextAreaElement =>
  element.matches(TEXT_FIELDS);

/** Whether the key goes into a text field, which has an undo of its own. */
export const isTyping = ({ target }: KeyboardEvent): boolean => isWithin(target, TEXT_FIELDS);

/** Whether the key belongs to a dialog or a menu over the page. */
export const isInLayer = ({ target }: KeyboardEvent): boolean => isWithin(target, LAYERS);

/**
 * Whether Space presses the focused control: only if the keyboard moved the focus there. After a mouse press the focus stays
 * on a button that the operator no longer looks at.
 */
export const isPressOfControl = ({ key, target }: Pick<KeyboardEvent, "key" | "target">): boolean =>
  key === " " && target !== focusedByPointer && isWithin(target, PRESSED_BY_SPACE);

/** Whether the key is no shortcut of the page: it types, chooses in a list, belongs to a dialog, or to the browser. */
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
    // A press on the focused control itself moves no focus.
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
