import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { WORKER_HEADERS, WORKER_PATHS, type GrantedJob, type WorkerFiles } from "@followspot/contract";
import { noRoom } from "../../songs/processing/step-error.ts";
import { MachineDoor, type MachineDoorOptions } from "../machine-door.ts";

/** HTTP client of a remote worker for its server. */
export class ServerDoor extends MachineDoor {
  constructor(options: MachineDoorOptions) {
    super(options, WORKER_HEADERS);
  }

  /** Returns names and sizes of the input files of a job. */
  async listFiles(job: GrantedJob, signal: AbortSignal): Promise<WorkerFiles["files"]> {
    const answer = await this.send(filesPath(job), { headers: leaseOf(job), signal });
    return (await this.readJson<WorkerFiles>(answer, ({ files }) => Array.isArray(files))).files;
  }

  /** Downloads an input file. @returns its SHA-256 @throws ServerAway also if it arrived damaged */
  async fetchFile(job: GrantedJob, name: string, path: string, signal: AbortSignal): Promise<string> {
    return this.fetchTo(`${filesPath(job)}/${name}`, path, { headers: leaseOf(job), signal });
  }

  /** Uploads a result file of a job. */
  async putFile(job: GrantedJob, name: string, path: string, sha256: string, signal: AbortSignal): Promise<void> {
    const headers = { ...leaseOf(job), [WORKER_HEADERS.sha256]: sha256, "content-type": "application/octet-stream" };
    const body = await openAsBlob(path);
    const answer = await this.send(`${filesPath(job)}/${name}`, { method: "PUT", headers, body, signal });
    if (answer.status === 507) throw noRoom((await stat(path)).size);
  }
}

const leaseOf = ({ lease_token }: GrantedJob) => ({ [WORKER_HEADERS.lease]: lease_token });
const filesPath = ({ job_id }: GrantedJob) => WORKER_PATHS.files.replace(":id", job_id);
