import { expect, test } from "vitest";
import { beatPrinter, type Heard } from "./engines.ts";

const heard: Heard = { pcm: { left: new Float32Array(), right: new Float32Array(), sampleRate: 44_100 }, wav: "a.wav" };
const asking = (script: string) => beatPrinter({ name: "other", command: ["sh", "-c", script, "other"] });

test("any program that prints the times of beats can be compared", () => {
  const answer = asking("echo 0.5 1; echo 1.0 2; echo 1.5 1").analyse(heard);
  expect(answer).toMatchObject({ beats: [0.5, 1, 1.5], tempo: 120 });
  expect(answer.seconds).toBeGreaterThanOrEqual(0);
});

test("it is given the file last", () => {
  expect(() => asking('echo "heard $1" >&2; exit 3').analyse(heard)).toThrow(/ended with 3: heard a\.wav/);
});

test("what prints no times is no tracker", () => {
  expect(() => asking("echo usage").analyse(heard)).toThrow("lines that do not begin with a time");
});

test("a program that cannot be started is said to be missing", () => {
  expect(beatPrinter({ name: "other", command: ["no-such-tracker"] }).missing).toBe(
    "no-such-tracker cannot be started",
  );
});
