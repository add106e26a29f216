// Vitest reporter of `npm test`: progress lines, each failure as soon as it happens, and a report for
// `vitest-run.mjs` in the file that TEST_REPORT names. Files that pass print nothing.
import { writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { ROOT } from "../house.mjs";
import { clock, secondsOfFiles } from "./test-times.mjs";

/** Interval of progress lines, ms. A terminal updates its line more often. */
const PROGRESS_MS = 30_000;
const TERMINAL_PROGRESS_MS = 1000;
/** Console output of a failed file that is printed with it, characters from the end. */
const LOG_LENGTH = 4000;
/** Weight of a file whose time is unknown, s. */
const UNKNOWN_SECONDS = 1;
/** The JavaScript engine itself ended the worker. No test can cause that. */
const ENGINE_CRASH = /Worker exited unexpectedly with signal (SIGSEGV|SIGTRAP|SIGILL|SIGBUS)\b.* test file (\S+)/s;

export default class ProgressReporter {
  #vitest;
  #startedAt = Date.now();
  #seconds = secondsOfFiles();
  /** Module ID → seconds it took last time, of files that have not ended. */
  #waiting = new Map();
  #running = new Map();
  #ended = [];
  #secondsEnded = 0;
  #sum = { passed: 0, failed: 0 };
  /** Module ID → console output of its tests. */
  #logs = new Map();
  #timer;

  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications) {
    for (const { moduleId } of specifications) this.#waiting.set(moduleId, this.#secondsOf(moduleId));
    const everyMs = process.stderr.isTTY ? TERMINAL_PROGRESS_MS : PROGRESS_MS;
    this.#timer = setInterval(() => this.#printProgress(), everyMs);
    this.#printProgress();
  }

  onTestModuleStart({ moduleId }) {
    this.#running.set(moduleId, Date.now());
  }

  onUserConsoleLog({ content, taskId }) {
    const moduleId = this.#vitest.state.idMap.get(taskId)?.file.filepath ?? "";
    this.#logs.set(moduleId, ((this.#logs.get(moduleId) ?? "") + content).slice(-LOG_LENGTH));
  }

  onTestModuleEnd(module) {
    const { moduleId } = module;
    this.#running.delete(moduleId);
    this.#secondsEnded += this.#waiting.get(moduleId) ?? 0;
    this.#waiting.delete(moduleId);
    this.#ended.push(module);
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state in this.#sum) this.#sum[state]++;
    }
    if (module.state() === "failed") this.#printFailures(module);
    this.#logs.delete(moduleId);
  }

  onTestRunEnd(modules, unhandled) {
    clearInterval(this.#timer);
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
    const crashes = unhandled.map((error) => ENGINE_CRASH.exec(error.cause?.message ?? error.message ?? ""));
    const crashed = new Set(crashes.flatMap((match) => match?.[2] ?? []));
    const errors = unhandled.filter((_, i) => !crashes[i]);
    for (const error of errors) this.#vitest.logger.printError(error, { fullStack: true });
    writeFileSync(
      process.env.TEST_REPORT,
      JSON.stringify({
        files: modules.map((module) => fileReport(module, crashed.has(module.moduleId))),
        errors: errors.map(({ message }) => message),
      }),
    );
  }

  #printFailures(module) {
    const { logger } = this.#vitest;
    const print = (title, errors) => {
      logger.error(`\nFAIL  ${title}`);
      for (const error of errors) logger.printError(error, { project: module.project });
    };
    const file = pathOf(module.moduleId);
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
    if (module.errors().length > 0) print(file, module.errors());
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0) print(`${file} > ${suite.fullName}`, suite.errors());
    }
    for (const test of module.children.allTests("failed"))
      print(`${file} > ${test.fullName}`, test.result().errors ?? []);
    const log = this.#logs.get(module.moduleId);
    if (log) logger.error(`Last output of ${file}:\n${log}`);
  }

  #printProgress() {
    const files = this.#ended.length + this.#waiting.size;
    const { passed, failed } = this.#sum;
    const parts = [`${this.#ended.length} of ${files} files`, `${passed} passed, ${failed} failed`];
    const left = this.#secondsLeft();
    if (left !== undefined) parts.push(`about ${clock(left)} left`);
    const [longest] = [...this.#running].toSorted(([, a], [, b]) => a - b);
    if (longest) parts.push(`running ${pathOf(longest[0])}`);
    const line = `${clock((Date.now() - this.#startedAt) / 1000).padStart(6)}  ${parts.join(" · ")}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line.slice(0, process.stderr.columns - 1)}`);
    else process.stderr.write(`${line}\n`);
  }

  /** By the time the files took last: what is left, at the speed so far. Undefined until enough has ended to tell. */
  #secondsLeft() {
    const left = [...this.#waiting.values()].reduce((sum, seconds) => sum + seconds, 0);
    const share = this.#secondsEnded / (this.#secondsEnded + left);
    return share > 0.05 ? ((Date.now() - this.#startedAt) / 1000 / share) * (1 - share) : undefined;
  }

  #secondsOf(moduleId) {
    return this.#seconds.get(pathOf(moduleId)) ?? UNKNOWN_SECONDS;
  }
}

/** Path from the repository's root. */
const pathOf = (moduleId) => relative(ROOT, moduleId).replaceAll(sep, "/");

function fileReport(module, isCrashed) {
  const tests = [...module.children.allTests()];
  // Tests that `-t` leaves out are not skipped ones.
  const isChosen = ({ fullName }) =>
    module.project.config.testNamePattern?.test(fullName.replaceAll(" > ", " ")) ?? true;
  const inState = (state) => tests.filter((test) => isChosen(test) && test.result().state === state);
  const startedAt = Math.min(...tests.map((test) => test.diagnostic()?.startTime ?? Infinity));
  const { duration, collectDuration, setupDuration, environmentSetupDuration, prepareDuration } = module.diagnostic();
  return {
    path: pathOf(module.moduleId),
    project: module.project.name,
    passed: inState("passed").length,
    failed: inState("failed").map(({ fullName }) => fullName),
    skipped: inState("skipped").map(({ fullName }) => fullName),
    // A file that cannot be loaded, or a hook that fails, fails without a failed test.
    isFailed: module.state() === "failed",
    isCrashed,
    startedAt: Number.isFinite(startedAt) ? startedAt : undefined,
    seconds: (duration + collectDuration + setupDuration + environmentSetupDuration + prepareDuration) / 1000,
  };
}
