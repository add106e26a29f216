const TEXT_FIELDS = "input:not([type=range]), textarea, [contenteditable], dialog, [role=dialog], [role=alertdialog]";

/** The key belongs to a text, which has an undo of its own, or to a dialog. */
export const isTyping = ({ target }: KeyboardEvent): boolean => isWithin(target, TEXT_FIELDS);

/** The key is no shortcut of the page: a person types, chooses in a list, or means the browser. */
export const isElsewhere = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.defaultPrevented ||
  isTyping(event) ||
  isWithin(event.target, "select");

const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
