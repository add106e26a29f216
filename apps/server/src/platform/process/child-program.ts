import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { environmentOf, plainEnvironment } from "./programs.ts";

/**
 * Starts a child process of ours, sends it a task and returns it. A thread is not enough where memory is limited: if a
 * thread runs out of memory at a bad moment, V8 ends the whole process.
 * @param megabytes heap limit; exceeding it ends the process by a signal
 */
export function startChild(program: URL, megabytes: number, task: object): ChildProcess {
  const child = fork(fileURLToPath(program), {
    execArgv: ["--no-warnings", "--no-memory-protection-keys", `--max-old-space-size=${megabytes}`],
    env: { ...plainEnvironment(), ...environmentOf(["NODE_COMPILE_CACHE"]) },
    serialization: "advanced",
    // The parent explains a memory failure in its own words instead of the engine's output.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.send(task, () => undefined); // a failed send shows in the exit of the child
  return child;
}
