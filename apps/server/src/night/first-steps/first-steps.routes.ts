import type { ConnectRouter } from "@connectrpc/connect";
import { FirstStepsService } from "@followspot/contract/firststeps";
import { requireCaller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql } from "../../platform/database/database.ts";
import { conflict } from "../../platform/errors.ts";
import {
  changeFirstSteps,
  isNothingThere,
  lockFirstSteps,
  readFirstSteps,
  readSteps,
  STEPS,
  type FirstStepsRow,
} from "./first-steps.store.ts";

interface FirstStepsPorts {
  readonly sql: Sql;
  /** Called when a demo night is requested or its removal is. */
  readonly onDemoNight?: () => void;
}

/**
 * Returns the RPC methods for the setup checklist of a new installation. {@link lookAtDemoNight} makes and removes demo
 * nights.
 */
export function firstStepsRoutes({ sql, onDemoNight = () => {} }: FirstStepsPorts) {
  return (router: ConnectRouter) =>
    router.service(FirstStepsService, {
      getFirstSteps: async () => {
        const [row, steps, isEmpty] = await Promise.all([readFirstSteps(sql), readSteps(sql), isNothingThere(sql)]);
        return {
          steps: STEPS.map((id) => ({ id, isDone: steps[id] })),
          isHidden: row.is_hidden,
          demoNight: toDemoNight(row),
          canMakeDemoNight: isEmpty && row.demo_state === "none",
        };
      },

      hideFirstSteps: ({ isHidden }, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const before = await lockFirstSteps(tx);
          if (before.is_hidden === isHidden) return done({ isHidden });
          await changeFirstSteps(tx, { is_hidden: isHidden });
          return done({ isHidden }, { ...STEPS_ENTRY, verb: isHidden ? "hidden" : "shown" });
        }),

      makeDemoNight: async (_request, context) => {
        const caller = requireCaller(context);
        const answer = await change(sql, caller, async (tx) => {
          const { demo_state: state } = await lockFirstSteps(tx);
          if (state !== "none") throw conflict(THERE);
          if (!(await isNothingThere(tx))) throw conflict(NOT_EMPTY);
          await changeFirstSteps(tx, { demo_state: "making", demo_says: "", demo_wanted_by: caller.userId });
          return done({ demoNight: { state: "making" } }, { ...DEMO_ENTRY, verb: "wanted" });
        });
        onDemoNight();
        return answer;
      },

      removeDemoNight: async (_request, context) => {
        const caller = requireCaller(context);
        const answer = await change(sql, caller, async (tx) => {
          const { demo_state: state } = await lockFirstSteps(tx);
          if (state === "none") throw conflict("There is no demo night.");
          if (state === "making") throw conflict("The demo night is still being made. Remove it in a minute.");
          if (state === "removing") return done({ demoNight: { state } });
          await changeFirstSteps(tx, { demo_state: "removing", demo_says: "", demo_wanted_by: caller.userId });
          return done({ demoNight: { state: "removing" } }, { ...DEMO_ENTRY, verb: "unwanted" });
        });
        onDemoNight();
        return answer;
      },
    });
}

const THERE = "There is a demo night already. Remove it before another is made.";
const NOT_EMPTY =
  "There are events, lights, songs or playlists here already. Demo data never mixes with real data: use a fresh data folder.";

const STEPS_ENTRY = { noun: "first_steps", id: "all", topics: [] } as const;
const DEMO_ENTRY = { noun: "demo_night", id: "all", topics: [] } as const;

const toDemoNight = ({ demo_state: state, demo_says: says }: FirstStepsRow) => ({ state, says });
