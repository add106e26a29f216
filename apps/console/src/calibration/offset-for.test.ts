import { expect, it } from "vitest";
import { offsetFor } from "./offset-for.ts";

it("makes light wait as long as the sound is late, less what light takes itself", () => {
  expect([offsetFor(34), offsetFor(120.4), offsetFor(0)]).toEqual([0, 86, -34]);
});
