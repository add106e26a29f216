import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../platform/files/atomic-file.ts";

/** A backup cannot be taken, read or restored; the message explains what to do. */
export class BackupError extends Error {}

const MANIFEST = "followspot-backup.json";
/** Folders of the data folder that are backed up, each under its own name. */
export const RECORDINGS = "recordings";
export const DATA_FOLDERS = ["songs", RECORDINGS] as const;
/** File with the key that signs codes, links and tokens. */
export const KEY_FILE = "secrets.json";

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const bytes = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Whether a path stays inside the backup, whatever its manifest contains. */
const isInside = (path: string) =>
  path === KEY_FILE ||
  (DATA_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0")));

const tableSchema = z.object({ name, columns: z.array(name), rows: z.int().min(0), bytes, sha256 });
const sequenceSchema = z.object({ table: name, column: name, next: z.string().regex(/^\d+$/) });
const fileSchema = z.object({ path: z.string().refine(isInside), bytes, sha256 });
const manifestSchema = z.object({
  version: z.literal(2),
  taken_at: z.iso.datetime(),
  /** Migrations at the time of the backup, as files of platform/migrations. */
  migrations: z.array(z.string()),
  tables: z.array(tableSchema),
  /** Next values of identity columns. */
  sequences: z.array(sequenceSchema),
  files: z.array(fileSchema),
});
/** Format of older releases, without checksums, recordings and key. */
const firstSchema = z.object({
  version: z.literal(1),
  taken_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  tables: z.array(name),
});

/** One table, as COPY text in `tables/NAME`. Fields are undefined if an older release did not record them. */
export interface KeptTable {
  readonly name: string;
  readonly columns?: readonly string[];
  readonly rows?: number;
  readonly bytes: number;
  readonly sha256?: string;
}

/** One file, by its path below the data folder. */
export interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256?: string;
}

export type KeptSequence = z.infer<typeof sequenceSchema>;

/** Content of a complete backup. */
export interface Manifest {
  readonly taken_at: string;
  readonly migrations: readonly string[];
  readonly tables: readonly KeptTable[];
  readonly sequences: readonly KeptSequence[];
  readonly files: readonly KeptFile[];
}

export const tablePath = (table: string) => `tables/${table}`;
export const bytesOf = (parts: readonly { readonly bytes: number }[]) =>
  parts.reduce((sum, part) => sum + part.bytes, 0);

/** Writes the manifest last: a folder without it is an incomplete backup and is rejected. */
export async function writeManifest(folder: string, manifest: z.infer<typeof manifestSchema>): Promise<void> {
  await writeFileAtomic(join(folder, MANIFEST), JSON.stringify(manifest, null, 1), "backup", 0o600);
}

/** Whether a folder has a manifest, and therefore a complete backup. */
export const isWhole = (folder: string): Promise<boolean> =>
  stat(join(folder, MANIFEST)).then(
    (found) => found.isFile(),
    () => false,
  );

/** @throws BackupError for a folder without a complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => undefined);
  if (text === undefined) {
    throw new BackupError(
      `${folder} holds no whole backup: ${MANIFEST} is missing. It was broken off, or is no backup; take another one.`,
    );
  }
  const value = parseJson(text);
  const manifest = manifestSchema.safeParse(value);
  if (manifest.success) return manifest.data;
  const first = firstSchema.safeParse(value);
  if (first.success) return describeFirst(folder, first.data);
  const isNewer = z.object({ version: z.number().min(3) }).safeParse(value).success;
  throw new BackupError(
    isNewer
      ? `${folder} was written by a newer Followspot. Restore it with that version.`
      : `${join(folder, MANIFEST)} is damaged. Take another backup.`,
  );
}

async function describeFirst(folder: string, first: z.infer<typeof firstSchema>): Promise<Manifest> {
  const tables = first.tables.map(async (table) => ({ name: table, bytes: await size(folder, tablePath(table)) }));
  const paths = await listFiles(folder, "songs");
  const files = paths.map(async (path) => ({ path, bytes: await size(folder, path) }));
  return { ...first, sequences: [], tables: await Promise.all(tables), files: await Promise.all(files) };
}

/**
 * Returns the paths below `root` of the files in one of its folders, with "/" as separator; none if the folder does not
 * exist.
 */
export async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return []; // also if it was deleted while other folders were listed
  });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return listFiles(root, path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return found.flat();
}

async function size(folder: string, path: string): Promise<number> {
  const found = await stat(join(folder, path)).catch(() => undefined);
  if (!found) throw new BackupError(`The backup is not whole: ${path} is missing in ${folder}.`);
  return found.size;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
