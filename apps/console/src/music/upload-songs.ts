import { serverPath } from "../lib/base-path.ts";
import { plainErrorText } from "../lib/errors.ts";
import { refusal } from "../lib/http.ts";
import { queryClient, sessionExpired } from "../lib/query-client.ts";
import { createStore } from "../lib/store.ts";
import { refreshList } from "../lib/list-refresh.ts";
import { SONGS } from "./music.queries.ts";
import { keepNames } from "./lost-uploads.ts";

export type UploadState =
  | "waiting"
  | "sending"
  | "checking"
  | "done"
  | "existing"
  | "restarted"
  | "failed"
  | "cancelled";

/** An upload in progress. The list outlives the screen that started it. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: UploadState;
  /** 0..1 */
  readonly progress: number;
  readonly error?: string;
  /** Title of the existing song with the same bytes. */
  readonly existing?: string;
}

const AT_ONCE = 2;

export const uploads = createStore<readonly Upload[]>([]);
uploads.subscribe(() => keepNames(uploads.get().flatMap(({ state, file }) => (isUnderWay(state) ? [file.name] : []))));
const requests = new Map<number, XMLHttpRequest>();
let lastId = 0;

export function uploadSongs(files: Iterable<File>): void {
  const added = Array.from(files, (file): Upload => ({ id: ++lastId, file, state: "waiting", progress: 0 }));
  uploads.set([...uploads.get(), ...added]);
  sendNext();
}

export function cancelUpload(id: number): void {
  const request = requests.get(id);
  if (request) request.abort();
  else patch(id, { state: "cancelled" });
}

export function cancelUploads(): void {
  for (const { id, state } of uploads.get()) if (isUnderWay(state)) cancelUpload(id);
}

export function clearUploads(): void {
  uploads.set(uploads.get().filter(({ state }) => isUnderWay(state)));
}

export const isUnderWay = (state: UploadState): boolean =>
  state === "waiting" || state === "sending" || state === "checking";

function sendNext(): void {
  while (requests.size < AT_ONCE) {
    const next = uploads.get().find(({ state }) => state === "waiting");
    if (!next) return;
    send(next);
  }
}

function send({ id, file }: Upload): void {
  const request = new XMLHttpRequest();
  requests.set(id, request);
  patch(id, { state: "sending" });
  const end = (change: Partial<Upload>) => {
    requests.delete(id);
    patch(id, change);
    sendNext();
  };
  request.open("POST", serverPath("/api/songs/upload"));
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
  request.upload.onprogress = ({ loaded, total }) => patch(id, { progress: total > 0 ? loaded / total : 0 });
  request.upload.onload = () => patch(id, { state: "checking", progress: 1 });
  request.onabort = () => end({ state: "cancelled" });
  request.onerror = () => end({ state: "failed", error: "the server cannot be reached" });
  request.onload = () => {
    const said = request.status === 201 || request.status === 200 ? saidIn(request.responseText) : undefined;
    if (said === undefined) {
      if (request.status === 401) sessionExpired.set(true);
      end({ state: "failed", error: plainErrorText(refusal(request.status, request.responseText)) });
      return;
    }
    const state = said.isRestarted ? "restarted" : "existing";
    end(request.status === 201 ? { state: "done" } : { state, existing: said.title });
    refreshList(queryClient, SONGS);
  };
  request.send(file);
}

/** Returns the song's title and restart flag; undefined for other content, such as the error page of a proxy. */
function saidIn(answer: string): { readonly title: string; readonly isRestarted: boolean } | undefined {
  try {
    const { song, restarted } = JSON.parse(answer) as {
      readonly song?: { readonly title?: unknown };
      readonly restarted?: unknown;
    };
    return typeof song?.title === "string" ? { title: song.title, isRestarted: restarted === true } : undefined;
  } catch {
    return undefined;
  }
}

function patch(id: number, change: Partial<Upload>): void {
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
}
