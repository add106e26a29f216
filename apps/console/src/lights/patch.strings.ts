import type { Mount, Point3 } from "@followspot/lighting";

const binaryOf = (address: number) => address.toString(2).padStart(9, "0");

/** Texts of the patch: universe map, Add several, stage plan, patch sheet, import. */
/** Formats a length in meters, for example "4.25 m". */
const metres = (n: number) => `${Math.round(n * 100) / 100} m`;

const placeInWords = ({ x, y, z }: Point3) =>
  `${metres(Math.abs(x))} ${x < 0 ? "left" : "right"} of the middle, ${metres(y)} from the back, ${metres(z)} up`;

/** Lists up to four names; abbreviates longer lists to "Par 1, Par 2, Par 3 and 5 more". */
export const few = (names: readonly string[]) =>
  names.length > 4 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");

export const patchStrings = {
  counts: (lights: number, universes: number) =>
    `${lights.toLocaleString("en")} ${lights === 1 ? "light" : "lights"} · ${universes.toLocaleString("en")} ${universes === 1 ? "universe" : "universes"}`,
  universe: (universe: number) => `Universe ${universe}`,
  map: (universe: number) => `Channels of universe ${universe}`,
  inWords: (universe: number) => `Lights of universe ${universe}`,
  inUse: (slots: number) => `${slots} of 512 in use`,
  nextFree: (channels: number, address: number) => `next free for ${channels} channels: ${address}`,
  noneFree: (channels: number) => `no room for ${channels} channels`,
  looks: { auto: "auto", override: "override", conflict: "conflict", selected: "selected" },
  pointAt: "Point at a channel to see whose it is.",
  slot: (address: number, light: string, channel: number, of: number) =>
    `${address}: ${light}, channel ${channel} of ${of}`,
  slotFree: (address: number) => `${address}: free`,
  chosen: (light: string, range: string) => `${light}: ${range}`,
  identify: "Identify",
  identifying: (owner: string) => `Blinks for ${owner}`,
  aiming: (owner: string) => `Aimed by ${owner}`,
  blackoutOn: "Blackout is on: the lamp blinks when it is released.",
  notTaken: (why: string) => `Not taken: ${why}`,
  groupsHead: "Groups",
  more: "More",
  addSeveral: "Add several…",
  findNodes: "Find outputs…",
  dip: (address: number, on: readonly number[]) =>
    `DIP switches for address ${address}: ${on.length === 1 ? `${on[0]} is on` : `${on.join(", ")} are on`}, the others off`,
  dipFunction: "FUN",
  binary: (address: number) => `${address} = ${binaryOf(address)} binary`,
  fromZero: (address: number) =>
    `Switch 10 is the lamp's own function: off for DMX. Lamps that count from 0 want ${address - 1}.`,
  movesTitle: "Lights get new addresses",
  order: {
    question: (moves: string) =>
      `In this order lights get new addresses: ${moves}. The lamps themselves have to be set to them, or they will not answer.`,
    confirm: "Save and move",
  },
  deleteMoves: (moves: string) =>
    ` Other lights get new addresses: ${moves}. The lamps themselves have to be set to them.`,
  several: {
    title: "Add Several Lights",
    count: "How many *",
    type: "Light Type *",
    chooseType: "Select a light type",
    mode: "Mode *",
    chooseMode: "Select a mode",
    universe: "Universe",
    firstAddress: "First DMX address",
    firstAddressHint: "The others follow without gaps",
    label: "Label *",
    labelHint: "# stands for the number",
    group: "Group",
    noGroup: "No group",
    newGroup: (name: string) => `New group "${name}"`,
    groupName: "Name of the group",
    groupType: "Type of the group",
    lamps: {
      par: "Par",
      bar: "Bar",
      strobe: "Strobe",
      moving_head: "Spot",
      dimmer: "Dimmer",
      laser: "Laser",
      hazer: "Hazer",
      effect: "Effect",
    } as Readonly<Record<string, string>>,
    plural: (lamp: string) => `${lamp}s`,
    plan: (first: string, last: string, range: string, universe: number) =>
      first === last
        ? `${first} at ${range} of universe ${universe}`
        : `${first} to ${last} at ${range} of universe ${universe}`,
    submit: (count: number) => (count === 1 ? "Add 1 light" : `Add ${count} lights`),
    takeFree: (address: number) => `Take ${address}`,
    past: (end: number) => `They would end at ${end}, past 512.`,
    whole: (least: number, most: number) => `Must be a whole number from ${least} to ${most}`,
    done: (count: number, range: string) => `Added ${count} ${count === 1 ? "light" : "lights"} at ${range}`,
  },
  channels: {
    title: "Own channel order",
    hint: (kinds: string) =>
      `For a lamp whose channels stand in another order than its mode's: kinds with commas between, such as intensity, red, green, blue. Empty is the mode's own. Known: ${kinds}`,
    unknown: (kind: string) => `"${kind}" is no kind of channel`,
    many: "At most 512 channels",
  },
  plan: {
    open: "Stage plan",
    title: "Stage plan",
    looks: { label: "How the stage is seen", above: "From above", "3d": "In 3D" },
    no3d: "3D is not available: this browser has no WebGL. The plan from above can do everything.",
    lost3d:
      "3D has stopped: the browser took its graphics away. What you changed is still here. Press In 3D to try once more.",
    noRig: "3D is not available: the lamps' channels could not be read. The plan from above can do everything.",
    back: "Back of the stage",
    front: "Audience",
    area: "Lamps on the stage",
    lamp: (name: string, at: Point3) => `${name}: ${placeInWords(at)}`,
    at: ({ x, y, z }: Point3) =>
      `${metres(Math.abs(x))} ${x < 0 ? "left" : "right"} · ${metres(y)} from back · ${metres(z)} up`,
    lampFree: (name: string) => `${name}: no place yet`,
    dragHeight: "Drag up or down: height",
    fixed: (name: string) => `Where and how: ${name}`,
    chosen: (n: number) => `${n} lamps chosen`,
    choose:
      "Click a lamp to choose it; Shift or a frame chooses several. Drag it to where it hangs or stands. The preview of songs shows it there, and heads look at their positions from there.",
    fields: {
      x: "To the right, m",
      y: "From back, m",
      z: "Height, m",
      turn: "Turned, °",
      lean: "Leans, °",
    },
    hangs: "Hangs from a truss",
    leansItself: "Moving heads lean by themselves.",
    mixed: "mixed",
    between: (least: number, most: number) => `From ${least} to ${most}`,
    mount: {
      title: "Put them on",
      front: "Front truss",
      back: "Back truss",
      floor: "Floor",
      stands: "Stands",
    } satisfies Record<Mount | "title", string>,
    arrange: {
      title: "Arrange",
      depth: "Same depth",
      height: "Same height",
      spread: "Spread evenly",
      wide: "Over the width",
      pairs: "Mirrored pairs",
      leftToRight: "Mirror left to right",
      rightToLeft: "Mirror right to left",
      row: "Row…",
      arc: "Arc…",
    },
    row: {
      fromX: "First: to the right, m",
      fromY: "First: from back, m",
      toX: "Last: to the right, m",
      toY: "Last: from back, m",
      make: "Make a row",
    },
    arc: {
      x: "Middle: to the right, m",
      y: "Middle: from back, m",
      radius: "Radius, m",
      angle: "Angle, °",
      faces: "Lamps face",
      inwards: "the middle",
      outwards: "away from it",
      make: "Make an arc",
    },
    select: { title: "Choose", all: "All", group: (name: string) => `Choose ${name}` },
    line: "All lamps",
    lineAll: "Line them up",
    clear: "Clear all places",
    unplaced: (n: number) => `${n} without a place (dashed): they hang and stand as others of their kind`,
    undo: "Undo (Ctrl+Z)",
    redo: "Redo",
    redoKeys: "Redo (Ctrl+Shift+Z)",
    outside: (names: readonly string[]) => `Outside of the plan: ${few(names)}.`,
    bringBack: "Bring back",
    overtaken: (names: readonly string[]) => `Another person has saved a place for ${few(names)} meanwhile.`,
    theirs: "Take theirs",
    mine: "Keep mine",
    keys: {
      title: "Keys and pointer",
      pointer: [
        ["Drag", "over the stage at its height; across and up where that is seen from the side"],
        ["Alt + drag, or ↕", "height"],
        ["Ctrl + drag", "without snapping"],
        ["Shift + click", "one more, or one less"],
        ["Shift + drag", "a frame around lamps; from above also without Shift"],
        ["Click again", "the next lamp on the same spot"],
        ["Drag on nothing", "in 3D: looks around; the wheel comes closer"],
      ],
    },
    save: "Save places",
    saved: (n: number) => `${n} ${n === 1 ? "lamp has" : "lamps have"} a new place`,
    none: "No lights yet.",
  },
  sheet: {
    open: "Patch sheet",
    title: "Patch sheet",
    back: "Lights",
    csv: "CSV",
    columns: {
      address: "Address",
      dip: "DIP switches",
      fixture: "Fixture",
      mode: "Mode",
      name: "Name",
      group: "Group",
      position: "Position",
      universe: "Universe",
    },
    made: (when: string) => `As of ${when}`,
    place: (x: number, y: number, z: number | undefined) =>
      [`${metres(x)} / ${metres(y)}`, ...(z === undefined ? [] : [`${metres(z)} up`])].join(", "),
    note: "Switches 1 to 9 count 1, 2, 4 … 256; 10 is the lamp's own function, off for DMX. Lamps that count from 0 want one less.",
    off: "off",
    loadError: "Error loading lights",
    empty: "No lights are patched yet.",
  },
  qlc: {
    open: "Import QLC+ patch…",
    title: "Import QLC+ Patch",
    file: "Workspace of QLC+ (.qxw)",
    fileHint: "At most 4 MB. Nothing is changed before you have seen what it does.",
    reading: "Reading...",
    columns: { name: "Fixture", place: "Place", as: "Patched as" },
    place: (universe: number, range: string) => `Universe ${universe}, ${range}`,
    ready: (n: number) => `${n} ${n === 1 ? "fixture" : "fixtures"} can be patched`,
    left: (n: number) => `${n} left out`,
    fromLibrary: "Added to the light types from the fixture library",
    withGroups: (names: readonly string[]) =>
      `Groups too: ${names.slice(0, 8).join(", ")}${names.length > 8 ? ` and ${names.length - 8} more` : ""}`,
    joins: (name: string) => `${name} (joins yours)`,
    submit: (n: number) => (n === 1 ? "Patch 1 light" : `Patch ${n} lights`),
    done: (n: number) => `Patched ${n} ${n === 1 ? "light" : "lights"}`,
    tooLarge: "The file is larger than 4 MB.",
  },
} as const;
