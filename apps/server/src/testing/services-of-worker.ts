import { vi } from "vitest";

/** Files run one after the other in a worker: each starts with the initial environment of the worker. */
const worker = globalThis as typeof globalThis & { environmentOfWorker?: NodeJS.ProcessEnv };
vi.unstubAllEnvs();
worker.environmentOfWorker ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in worker.environmentOfWorker)) delete process.env[name];
Object.assign(process.env, worker.environmentOfWorker);

/** Streams exist once per broker, so each of the runner's workers has its own broker. */
const urls = process.env.NATS_URLS?.split(" ") ?? [];
process.env.NATS_URL = urls[(Number(process.env.VITEST_POOL_ID) - 1) % urls.length];
