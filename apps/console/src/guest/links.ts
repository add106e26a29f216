/**
 * Data in the URL fragment of a link to this page, which no server or log receives: `#invitation=KEY` to sign up,
 * `#event=ID&invitation=KEY` to register for an event. Read once, because the tabs then use the fragment.
 */
const carried = new URLSearchParams(location.hash.slice(1));

/** ID of the linked event; empty for none. */
export const linkedEvent = carried.get("event") ?? "";

/** Key that allows signing up; empty for none. */
export const signUpInvitation = linkedEvent === "" ? (carried.get("invitation") ?? "") : "";

/** Returns the key that allows registering for an event; empty for none. */
export const invitationOf = (eventId: string): string =>
  eventId === linkedEvent ? (carried.get("invitation") ?? "") : "";
