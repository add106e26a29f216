// npm test: everything, on a machine with only git, Node >= 20 and npm.
import { ensureConsole, ensureInstalled } from "./house.mjs";

await ensureInstalled();
await ensureConsole();
const { runSuites, close } = await import("./suites.mjs");
close(await runSuites(["pure", "server", "stage", "journeys", "timed-journeys"]));
