// Waits until its standard input closes, then ends and removes what a test run left: `node clean-up.mjs RUN`. Signals that end
// the run, such as Ctrl-C for the whole terminal, do not end this process.
import { tidyRun } from "./run-folder.mjs";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
process.stdin.resume();
process.stdin.once("close", () => tidyRun(process.argv[2]));
