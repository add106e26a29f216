import { expect, it } from "vitest";
import { offsetFor } from "./offset-for.ts";

it("delays light by the delay of the sound minus the delay of the light", () => {
  expect([offsetFor(34), offsetFor(120.4), offsetFor(0)]).toEqual([0, 86, -34]);
});
