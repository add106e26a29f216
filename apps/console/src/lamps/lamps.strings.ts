/** Words about what lamps get. */
export const lampStrings = {
  preview: "Stage preview",
};
