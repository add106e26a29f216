/** Streams are one per broker: each of the runner's workers has a broker of its own. */
const urls = process.env.NATS_URLS?.split(" ") ?? [];
process.env.NATS_URL = urls[(Number(process.env.VITEST_POOL_ID) - 1) % urls.length];
