import type { Db } from "./database.ts";

/**
 * Numbers of the advisory locks, in one table to prevent collisions. A transaction that takes several takes them in
 * this order (see transact).
 */
export const LOCKS = {
  /** One migration at a time. */
  migration: 7_041_966,
  /** One outbox relay at a time over all replicas. */
  outbox: 7_041_967,
  /** Roles and deletions of users: two requests must not each remove the other last admin. */
  roles: 7_041_968,
  /** Patching fixtures: packing moves every fixture of a universe. */
  patch: 7_041_969,
  /** One sweeper of the song pipeline at a time over all replicas. */
  sweep: 7_041_970,
  /** Requests and attempts of sign-in codes of one target, by its hash. */
  signIn: 7_041_971,
  /** One backup or restore at a time. */
  backup: 7_041_972,
  /**
   * Held exclusively by a backup while it lists the files that belong to the rows it has read. Shared by transactions
   * about to replace or delete song files: grants of jobs, and the removal of deleted songs.
   */
  songFiles: 7_041_973,
  /** Names and number of looks: concurrent saves are serialized. */
  looks: 7_041_974,
  /** One process creates or removes the demo night. */
  demoNight: 7_041_975,
  /** One process removes old files of songs. */
  oldFiles: 7_041_976,
} as const;

export type LockName = keyof typeof LOCKS;

/** Offset between the locks of two communities, because a database counts its locks for all who share it. */
const OF_A_COMMUNITY = 1_000_000_000;

/** Returns the number of a lock for the community of this connection. */
export const lockOf = (db: Db, name: LockName) =>
  db`(${LOCKS[name]}::bigint + ${OF_A_COMMUNITY}::bigint * (current_community() - 1))`;

/** Returns the number of a lock for a community by ID. */
export const lockNumber = (name: LockName, community: number) => LOCKS[name] + OF_A_COMMUNITY * (community - 1);
