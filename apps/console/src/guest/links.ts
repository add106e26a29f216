/**
 * Data in the URL fragment of a link to this page, which no server or log receives: `#invitation=KEY` to sign up,
 * `#event=ID&invitation=KEY` to register for an event. Read once, because the tabs then use the fragment.
 */
const carried = new URLSearchParams(location.hash.slice(1));

/** ID of the linked event; empty for none. */
export const linkedEvent = carried.get("event") ?? "";

const invitation = carried.get("invitation") ?? "";

/** Invitation that creates an account, and registers it if the invitation belongs to an event. */
export interface Invitation {
  /** Empty for the invitation of the community. */
  readonly eventId: string;
  /** Key of the link; empty without an invitation. */
  readonly invitation: string;
}

/** Invitation of the link that opened this page. */
export const openedInvitation: Invitation = { eventId: invitation && linkedEvent, invitation };

/** Returns the key that allows registering for an event; empty for none. */
export const invitationOf = (eventId: string): string => (eventId === linkedEvent ? invitation : "");
