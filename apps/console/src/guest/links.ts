/**
 * What a link to this page carries behind the stroke, where no server and no log sees it: `#invitation=KEY` to sign up,
 * `#event=ID&invitation=KEY` to register for an event. Read once, as tabs take its place.
 */
const carried = new URLSearchParams(location.hash.slice(1));

/** The event a link leads to; empty for none. */
export const linkedEvent = carried.get("event") ?? "";

/** The key that lets a person sign up; empty for none. */
export const signUpInvitation = linkedEvent === "" ? (carried.get("invitation") ?? "") : "";

/** The key that lets a person register for an event; empty for none. */
export const invitationOf = (eventId: string): string =>
  eventId === linkedEvent ? (carried.get("invitation") ?? "") : "";
