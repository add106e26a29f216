import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { environmentOf, plainEnvironment } from "./programs.ts";

/**
 * Starts a program of ours that is sent a task and tells what comes of it. A thread would not do where memory is limited:
 * when it runs out at a bad moment, V8 ends the whole process.
 * @param megabytes of its heap; more ends it by a signal
 */
export function startChild(program: URL, megabytes: number, task: object): ChildProcess {
  const child = fork(fileURLToPath(program), {
    execArgv: ["--no-warnings", "--no-memory-protection-keys", `--max-old-space-size=${megabytes}`],
    env: { ...plainEnvironment(), ...environmentOf(["NODE_COMPILE_CACHE"]) },
    serialization: "advanced",
    // What the engine prints when memory runs out is told in words.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.send(task, () => undefined); // its end tells why it could not be sent
  return child;
}
