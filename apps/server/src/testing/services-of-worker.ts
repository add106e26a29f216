import { vi } from "vitest";

/** Files run one after the other in a worker: each finds the environment that the worker began with. */
const worker = globalThis as typeof globalThis & { environmentOfWorker?: NodeJS.ProcessEnv };
vi.unstubAllEnvs();
worker.environmentOfWorker ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in worker.environmentOfWorker)) delete process.env[name];
Object.assign(process.env, worker.environmentOfWorker);

/** Streams are one per broker: each of the runner's workers has a broker of its own. */
const urls = process.env.NATS_URLS?.split(" ") ?? [];
process.env.NATS_URL = urls[(Number(process.env.VITEST_POOL_ID) - 1) % urls.length];
