import { expect, test } from "vitest";
import { jsonProblem } from "./json-problem.ts";

test.each([
  ["", 1, 1, "a value"],
  ["{", 1, 2, "a name in double quotes"],
  ['{\n  "a": 1,\n}', 3, 1, "a name in double quotes"],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, "a comma or }"],
  ['{"a" 1}', 1, 6, "a colon"],
  ["{a: 1}", 1, 2, "a name in double quotes"],
  ['{"a": }', 1, 7, "a value"],
  ['{"a": "b', 1, 7, "a value"],
  ['{"a": "b\nc"}', 1, 7, "a value"],
  ["{\"a\": 'b'}", 1, 7, "a value"],
  ["[1, 2,]", 1, 7, "a value"],
  ["[1 2]", 1, 4, "a comma or ]"],
  ["[1, 02]", 1, 6, "a comma or ]"],
  ['["\\x"]', 1, 2, "a value"],
  ["{}\n{}", 2, 1, "nothing more"],
  ["[[1], {}]]", 1, 10, "nothing more"],
  ["nul", 1, 1, "a value"],
])("%j has its first syntax error at the reported position", (text, line, column, expected) => {
  expect(jsonProblem(text)).toMatchObject({ line, column, expected });
});

test.each(['{"a":[1,-2.5e3,{"b":"\\u00e9\\n"},[],{}],"c":null}', " true ", '"x"', "0"])("%j is valid JSON", (text) => {
  expect(jsonProblem(text)).toBeUndefined();
});

test("accepts any nesting depth", () => {
  expect(jsonProblem("[".repeat(100_000))).toMatchObject({ line: 1, column: 100_001, expected: "a value" });
});
