/** Words about what lamps get, and the picture of it. */
export const lampStrings = {
  preview: "Stage preview",
  label: "The stage now",
  show: "Show the stage",
  hide: "Hide",
  loading: "Loading the picture of the stage...",
  missing: "The picture of the stage could not be loaded. Load the page again to see it.",
  noRig: (why: string) => `The lamps could not be read: ${why}`,
  noLamps: "No lamp is patched yet.",
  addBelow: "Add some, and they are shown here.",
  toLights: "Add lamps on the Lights page",
  connecting: "Connecting to the stage...",
  lost: "The stage does not answer. It is started again by itself within seconds.",
  away: "The server cannot be reached: this picture is old. It goes on by itself once the server answers.",
  ended: "You may not see the lamps any more. Sign in again, or ask an Admin for the role.",
  sent: "Lit by what the lamps get now",
  silent: "Nothing is sent to the lamps now",
  unsent: "Preview only: no output is set up yet, so no lamp is lit.",
  deaf: (lamps: number, universes: readonly number[]) =>
    `${lamps} ${lamps === 1 ? "lamp gets" : "lamps get"} nothing: universe ${universes.join(", ")} has no output.`,
  toOutputs: "Set up outputs",
};
