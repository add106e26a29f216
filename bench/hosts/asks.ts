/** Where people of a venue are let in, and who comes. */
export interface Door {
  readonly venue: string;
  /** Of the box, without a slash at the end. */
  readonly url: string;
  /** Bearer token of a Director there. */
  readonly token: string;
  readonly eventId: string;
  /** Text of a person's code, by the person's id. */
  readonly codes: readonly (readonly [userId: string, code: string])[];
}

/** What the crowd is asked, by `process.send`; it answers each once it is done. */
export type Ask =
  | {
      readonly do: "join";
      readonly office: string;
      /** Bearer tokens of the guests, who listen and talk in the thread. */
      readonly guests: readonly string[];
      readonly threadId: string;
      /** Bearer token of those who give gold and bring songs. */
      readonly adminToken: string;
      /** Whom gold is given to. */
      readonly richId: string;
      readonly doors: readonly Door[];
    }
  /** Clients do something from now on, until they are told to rest. */
  | { readonly do: "act" }
  /** Answered once no call is open, with what was answered with yes since the crowd rested last. */
  | { readonly do: "rest" }
  /** Answered once every guest has heard all of these messages, or some time has passed. */
  | { readonly do: "hear"; readonly messageIds: readonly string[] }
  /** People go to another machine of their venue. */
  | { readonly do: "move"; readonly venue: string; readonly url: string; readonly token: string };

/** What clients were answered with yes, by what they asked for. */
export interface Ledger {
  readonly messages: readonly string[];
  readonly gold: readonly string[];
  readonly songs: readonly string[];
  /** By venue, ids of people. */
  readonly checkIns: Readonly<Record<string, readonly string[]>>;
  /** Tries that were refused or got no answer; the client tried again. */
  readonly refused: number;
  /** The longest from the first try to yes, ms, at the office and at the doors. */
  readonly longestMs: { readonly office: number; readonly doors: number };
  /** Calls that were given up: no yes within a minute. */
  readonly givenUp: readonly string[];
}

/** What all guests together heard of messages that are in the database. */
export interface Heard {
  readonly lost: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  /** Times a guest was told to read everything again. */
  readonly resets: number;
}

/** Where a node of lamps listens. */
export const ART_NET_PORT = 6454;

/** One packet of Art-Net at a node of lamps: ms since the epoch, and whether every slot of it was 0. */
export type SeenPacket = readonly [at: number, isDark: boolean];
