import { spawnSync } from "node:child_process";

/** FFMPEG, else the one on PATH; undefined when it does not run. */
export function findFfmpeg(): string | undefined {
  const path = process.env["FFMPEG"] ?? "ffmpeg";
  return spawnSync(path, ["-version"], { stdio: "ignore" }).error ? undefined : path;
}
