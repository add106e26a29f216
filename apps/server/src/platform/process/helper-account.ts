import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

/** Owner of helper programs where the server runs as root. No account of a usual machine has this number. */
export const HELPER = { uid: 65_533, gid: 65_533 };

/** What a helper program touches beside what everybody on the machine may read. */
export interface HelperNeeds {
  /** Files and folders it is given. */
  readonly reads?: readonly string[];
  /** Groups of devices it may use. */
  readonly groups?: readonly number[];
}

/** How a helper program is started. */
export interface HelperStart {
  readonly command: string;
  readonly args: readonly string[];
  /** For `spawn`; a working folder of the caller's goes behind it. */
  readonly rights: { readonly uid?: number; readonly gid?: number; readonly cwd?: string };
}

/** How rights are taken from a program: by `setpriv` with these options, by `spawn` itself, or not at all. */
type Way =
  | { readonly kind: "setpriv"; readonly path: string; readonly options: readonly string[]; readonly isOther: boolean }
  | { readonly kind: "spawn" }
  | { readonly kind: "none" };

interface Apart {
  readonly dataDir: string;
  readonly way: Way;
  readonly warn: (line: string) => void;
  readonly told: Set<string>;
}

const NO_NEW = "--no-new-privs";
const AS_HELPER = [`--reuid=${HELPER.uid}`, `--regid=${HELPER.gid}`, NO_NEW];
const NO_CAPABILITIES = ["--inh-caps=-all", "--bounding-set=-all"];

/** Threads of this process find the data folder under this name. */
const DATA_DIR = "data folder of helpers";

let apart: Apart | undefined;
let warnAs = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * From now on, in this process and the threads it starts later, programs that read what strangers made, such as decoders
 * and the downloader, run without our rights: as root under an account of their own, and always without a way to more
 * rights where `setpriv` is there. Of the data folder they get to the files and folders they are given.
 */
export function keepHelpersApart(dataDir: string, warn: (line: string) => void): void {
  setEnvironmentData(DATA_DIR, dataDir);
  warnAs = warn;
  apart = undefined;
}

/** How it is done, found out when the first program is started: nothing has to wait for it before. */
function howApart(): Apart | undefined {
  const dataDir = getEnvironmentData(DATA_DIR);
  if (typeof dataDir !== "string") return undefined;
  return (apart ??= { dataDir: realpathSync(dataDir), way: findWay(warnAs), warn: warnAs, told: new Set() });
}

/** The command line and the rights of a helper program. */
export function asHelper(command: string, args: readonly string[], needs: HelperNeeds = {}): HelperStart {
  const ours: HelperStart = { command, args, rights: {} };
  const found = howApart();
  if (!found || found.way.kind === "none") return ours;
  const { way, dataDir } = found;
  if (way.kind === "setpriv" && !way.isOther) return bySetpriv(way, [], ours);
  const { reads = [], groups = [] } = needs;
  const closed = [command, ...reads].find((path) => isAbsolute(path) && !letIn(path, dataDir));
  if (closed !== undefined) {
    tellOnce(found, `${command} runs with all rights of this server: another account cannot get to ${closed}`);
    return way.kind === "setpriv" ? bySetpriv({ ...way, options: [NO_NEW] }, [], ours) : ours;
  }
  if (way.kind === "setpriv") return bySetpriv(way, groupsOption(groups), { ...ours, rights: { cwd: "/" } });
  return { ...ours, rights: { uid: HELPER.uid, gid: groups[0] ?? HELPER.gid, cwd: "/" } };
}

/** Gives a helper program a folder of ours to work in, with what lies in it. */
export function lendFolder(folder: string): void {
  if (!isOther()) return;
  for (const path of [...readdirSync(folder).map((name) => join(folder, name)), folder]) {
    if (path === folder || isPlainFile(path)) chownSync(path, HELPER.uid, HELPER.gid);
  }
}

/** Takes it back once the program has ended: its files are ours again, and what is no plain file is removed. */
export function takeFolderBack(folder: string): void {
  if (!isOther()) return;
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  // The folder first: a program that outlived its run can exchange nothing in it any more.
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (isPlainFile(path)) chownSync(path, uid, gid);
    else rmSync(path, { recursive: true, force: true });
  }
}

function tellOnce({ warn, told }: Apart, line: string): void {
  if (!told.has(line)) warn(line);
  told.add(line);
}

function isOther(): boolean {
  const way = howApart()?.way;
  return way?.kind === "spawn" || (way?.kind === "setpriv" && way.isOther);
}

/** A link, by one name or the other, may lead to what is not theirs. */
function isPlainFile(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isFile() && stats.nlink === 1;
}

function bySetpriv(
  { path, options }: Extract<Way, { kind: "setpriv" }>,
  more: readonly string[],
  { command, args, rights }: HelperStart,
): HelperStart {
  return { command: path, args: [...options, ...more, "--", command, ...args], rights };
}

const groupsOption = (groups: readonly number[]): readonly string[] => [
  groups.length > 0 ? `--groups=${groups.join(",")}` : "--clear-groups",
];

/** The strictest way this machine has. */
function findWay(warn: (line: string) => void): Way {
  const isRoot = process.getuid?.() === 0;
  const path = onPath("setpriv");
  const tries = isRoot ? [[...AS_HELPER, ...NO_CAPABILITIES], AS_HELPER] : [[NO_NEW]];
  for (const options of path === undefined ? [] : tries) {
    const more = isRoot ? groupsOption([]) : [];
    if (spawnSync(path!, [...options, ...more, "--", path!, "--version"], { stdio: "ignore" }).status === 0)
      return { kind: "setpriv", path: path!, options, isOther: isRoot };
  }
  // What cannot be found or read was reached as the other account all the same.
  const { error } = isRoot ? spawnSync("/", { uid: HELPER.uid, gid: HELPER.gid }) : {};
  if ((error as NodeJS.ErrnoException | undefined)?.code === "EACCES") return { kind: "spawn" };
  if (isRoot)
    warn("programs that read songs and pictures run with all rights of this server: it cannot take them away");
  return { kind: "none" };
}

function onPath(program: string): string | undefined {
  const paths = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, program));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return isAbsolute(path);
    } catch {
      return false;
    }
  });
}

/** Opens the way to one path of the data folder for helpers. @returns whether they get to it now; true for what is not there */
function letIn(path: string, dataDir: string): boolean {
  try {
    const real = realpathSync(path);
    // By the name it is called by, and where links lead.
    const folders = [...foldersTo(resolve(path)), ...foldersTo(real)];
    const isOurs = real.startsWith(dataDir + sep);
    if (isOurs) for (const folder of folders) if (`${folder}${sep}`.startsWith(dataDir + sep)) letGroup(folder, 0o010);
    const stats = statSync(real);
    const isFolder = stats.isDirectory();
    if (isOurs && !isFolder) letGroup(real, stats.mode & 0o100 ? 0o050 : 0o040);
    return folders.every((folder) => mayUse(folder, 0o1)) && mayUse(real, isFolder ? 0o1 : 0o4);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true; // its start fails and says so
    throw error;
  }
}

/** Every folder on the way to a path, the first one first. */
function foldersTo(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [] : [...foldersTo(above), above];
}

/** Gives the helpers' group these rights to something of ours, unless they have them. */
function letGroup(path: string, bits: number): void {
  const { mode, gid } = statSync(path);
  if (mayUse(path, bits >> 3)) return;
  if (gid !== HELPER.gid) chownSync(path, -1, HELPER.gid);
  chmodSync(path, (mode & 0o7707) | (gid === HELPER.gid ? mode & 0o070 : 0) | bits);
}

/** Whether helpers have these rights (4 read, 1 enter or execute) to a path, as the system judges it. */
function mayUse(path: string, bits: number): boolean {
  const { mode, uid, gid } = statSync(path);
  const theirs = uid === HELPER.uid ? mode >> 6 : gid === HELPER.gid ? mode >> 3 : mode;
  return (theirs & bits) === bits;
}
