// npm run check: the fast part of npm test, for between two commits.
import { ensureInstalled } from "./house.mjs";

await ensureInstalled();
const { runSuites, close } = await import("./suites.mjs");
close(await runSuites(["pure", "console"]));
