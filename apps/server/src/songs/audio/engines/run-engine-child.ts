/**
 * A separate program: `run-engine-child.ts PROGRAM ARGUMENT…` runs a program of the user and ends with its parent. When
 * a worker is killed, the pipe on stdin closes; then the program and everything it started are killed too.
 */
import { spawn } from "node:child_process";

const [command = "", ...args] = process.argv.slice(2);
const program = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
program.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(126);
});
program.on("exit", (code, signal) => {
  if (signal) process.stderr.write(`ended by ${signal}\n`);
  process.exit(code ?? 1);
});
// This process leads the process group, because the parent starts it detached.
process.stdin.on("close", () => process.kill(-process.pid, "SIGKILL"));
process.stdin.resume();
