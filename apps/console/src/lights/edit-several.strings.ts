import { few } from "./patch.strings.ts";

const lamps = (n: number) => (n === 1 ? "1 light" : `${n.toLocaleString("en")} lights`);

/** Texts of the dialogs that edit or delete the selected lights. */
export const editSeveralStrings = {
  open: "Edit…",
  title: (n: number) => `Edit ${lamps(n)}`,
  which: (names: readonly string[]) => `${few(names)}. Only what you change is saved.`,
  several: "Several values",
  mode: "Mode",
  otherTypes: "They are of several types, so they have no mode in common.",
  status: "Status",
  groups: "Groups",
  groupsHint: "A dash: some of them are in it.",
  aim: "Where they look",
  homePan: "Home, pan (%)",
  homeTilt: "Home, tilt (%)",
  homeWrong: "A number from 0 to 100",
  homeHalf: "Give pan and tilt together.",
  invertPan: "Invert pan",
  invertTilt: "Invert tilt",
  turns: { straight: "No", inverted: "Yes" },
  moves: (n: number) => `${n === 1 ? "One light gets" : `${n} lights get`} a new DMX address:`,
  movesTitle: "Lights get new addresses",
  movesQuestion: (moves: string) =>
    `${moves}. The lamps themselves have to be set to the new addresses, or they will not answer.`,
  movesConfirm: "Save and move",
  nothing: "Nothing is changed yet.",
  save: "Save",
  saved: (n: number) => `Changed ${lamps(n)}`,
  deleteTitle: (n: number) => `Delete ${lamps(n)}`,
  deleteQuestion: (names: readonly string[]) => `Delete ${few(names)}? You can undo it right after.`,
  deleted: (n: number) => `Deleted ${lamps(n)}`,
} as const;
