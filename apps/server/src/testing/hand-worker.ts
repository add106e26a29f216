import { createHash, randomUUID } from "node:crypto";
import {
  WORKER_HEADERS,
  WORKER_PATHS,
  WORKER_PROTOCOL,
  type GrantedJob,
  type JobStep,
  type WorkerHello,
  type WorkerOutcome,
} from "@followspot/contract";
import { VERSION } from "../platform/process/version.ts";
import type { Wire } from "./test-server.ts";

/** Worker whose requests a test sends one by one, over the real HTTP endpoints. */
export class HandWorker {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(base: string, token: string, instance: string = randomUUID()) {
    this.#base = base;
    this.#headers = { authorization: `Bearer ${token}`, [WORKER_HEADERS.instance]: instance };
  }

  hello(more: Partial<WorkerHello> = {}) {
    const steps: JobStep[] = ["download", "analysis", "lighting", "stems"];
    const hello = { is_start: true, version: VERSION, protocol: WORKER_PROTOCOL, cores: 2, steps };
    return this.post(WORKER_PATHS.hello, { ...hello, ...more });
  }

  claim(...steps: JobStep[]) {
    return this.post(WORKER_PATHS.claim, { steps });
  }

  beat({ job_id, lease_token }: GrantedJob) {
    return this.post(WORKER_PATHS.heartbeat, { job_id, lease_token, progress: 0.5, note: "at it" });
  }

  report({ job_id, lease_token }: GrantedJob, outcome: WorkerOutcome) {
    return this.post(WORKER_PATHS.outcome, { job_id, lease_token, outcome });
  }

  async post(path: string, body: object): Promise<{ readonly status: number; readonly body: Wire }> {
    const headers = { ...this.#headers, "content-type": "application/json" };
    const answer = await fetch(this.#base + path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  }

  get(job: GrantedJob, name = ""): Promise<Response> {
    return fetch(this.#fileUrl(job, name), { headers: this.#of(job) });
  }

  put(job: GrantedJob, name: string, content: string | Uint8Array<ArrayBuffer>, sha256 = sha256Of(content)) {
    const headers = { ...this.#of(job), [WORKER_HEADERS.sha256]: sha256 };
    return fetch(this.#fileUrl(job, name), { method: "PUT", headers, body: content });
  }

  #of = ({ lease_token }: GrantedJob) => ({ ...this.#headers, [WORKER_HEADERS.lease]: lease_token });
  #fileUrl = ({ job_id }: GrantedJob, name: string) =>
    `${this.#base}${WORKER_PATHS.files.replace(":id", job_id)}${name && `/${name}`}`;
}

export const sha256Of = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
