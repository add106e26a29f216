import type { Db } from "./database.ts";

/**
 * Numbers of the advisory locks, in one table so that no two of them meet. A transaction that takes several takes
 * them in this order (see transact).
 */
export const LOCKS = {
  /** One migration at a time. */
  migration: 7_041_966,
  /** One outbox relay at a time over all replicas. */
  outbox: 7_041_967,
  /** Roles and deletions of people: two requests must not each remove the other last Admin. */
  roles: 7_041_968,
  /** Patching lights: packing moves every light of a universe. */
  patch: 7_041_969,
  /** One sweeper of the song pipeline at a time over all replicas. */
  sweep: 7_041_970,
  /** Asking for and trying the sign-in codes of one target, by its hash. */
  signIn: 7_041_971,
  /** One backup or restore at a time. */
  backup: 7_041_972,
  /**
   * Held alone by a backup while it notes which files belong to the rows it has seen; shared by those about to
   * replace or delete files of songs: grants of jobs, and the end of deleted songs.
   */
  songFiles: 7_041_973,
  /** Names and number of the looks: two are saved one after the other. */
  looks: 7_041_974,
  /** One process makes or removes the demo night. */
  demoNight: 7_041_975,
  /** One process removes old files of songs. */
  oldFiles: 7_041_976,
} as const;

export type LockName = keyof typeof LOCKS;

/** The same lock of another community is another lock: a database counts its locks for all who share it. */
const OF_A_COMMUNITY = 1_000_000_000;

/** The number of a lock of the community that asks. */
export const lockOf = (db: Db, name: LockName) =>
  db`(${LOCKS[name]}::bigint + ${OF_A_COMMUNITY}::bigint * (current_community() - 1))`;

/** The same of a community with this id. */
export const lockNumber = (name: LockName, community: number) => LOCKS[name] + OF_A_COMMUNITY * (community - 1);
