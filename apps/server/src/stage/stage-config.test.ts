import { expect, test } from "vitest";
import { parseSettings } from "../platform/settings.ts";
import { stageConfig } from "./stage-config.ts";

const GIVEN = {
  FOLLOWSPOT_STAGE_PORT: "4000",
  FOLLOWSPOT_STAGE_SECRET: "a secret of the stage",
  FOLLOWSPOT_API: "http://127.0.0.1:3000/",
  FOLLOWSPOT_DATA_DIR: "/data",
};

test("the stage reads its configuration from the product's settings", () => {
  const settings = parseSettings({
    ...GIVEN,
    FOLLOWSPOT_OSC_PORT: "8000",
    FOLLOWSPOT_SOUND_DEVICE: "alsa:hw:1",
    FOLLOWSPOT_SEARCH_ADDRESSES: "10.0.0.7,10.0.0.8:6455",
    FOLLOWSPOT_SPARE: "1",
  });
  expect(stageConfig(settings)).toEqual({
    port: 4000,
    secret: "a secret of the stage",
    dataDir: "/data",
    api: "http://127.0.0.1:3000",
    osc: { host: "127.0.0.1", port: 8000 },
    soundDevice: { kind: "alsa", name: "hw:1" },
    searchAddresses: ["10.0.0.7", "10.0.0.8:6455"],
  });
});

test("every setting that `npm start` accepts lets the stage start", () => {
  // Each was accepted by one schema and rejected by the other.
  for (const addresses of ["999.1.1.1", "10.0.0.255:99999", "1.2"]) {
    expect(() => parseSettings({ FOLLOWSPOT_SEARCH_ADDRESSES: addresses })).toThrow("FOLLOWSPOT_SEARCH_ADDRESSES");
  }
  expect(stageConfig(parseSettings(GIVEN)).searchAddresses).toEqual([]);
});
