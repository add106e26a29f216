import type { KeyTable } from "../lib/key-table.ts";

export const SHOW_KEYS = {
  play: { keys: ["Space", "P"], does: "Play or pause" },
  back: { keys: ["ArrowLeft"], does: "5 seconds back" },
  forth: { keys: ["ArrowRight"], does: "5 seconds on" },
  beatBack: { keys: [","], does: "The beat before" },
  beatForth: { keys: ["."], does: "The next beat" },
  drop: { keys: ["D"], does: "The next drop" },
  dropBack: { keys: ["Shift+D"], does: "The drop before" },
  find: { keys: ["/"], does: "Find cues" },
  loopFrom: { keys: ["["], does: "A loop begins here" },
  loopTo: { keys: ["]"], does: "A loop ends here" },
  loopEnd: { keys: ["Escape"], does: "No loop any more" },
  zoomIn: { keys: ["+", "="], shown: "+", does: "Zoom in" },
  zoomOut: { keys: ["-"], does: "Zoom out" },
  fit: { keys: ["F"], does: "Show the whole song" },
  click: { keys: ["C"], does: "A click on every beat, or none" },
} as const satisfies KeyTable;
