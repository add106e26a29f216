import { STAGE_HEADERS } from "@followspot/contract";
import { required, type Settings } from "../../platform/settings.ts";

const ANSWER_MS = 2000;

/**
 * Returns the function by which a standby applies the blackout of its first machine to its own stage. @throws Error if
 * the stage does not respond
 */
export function stageBlackout(settings: Settings): (on: boolean) => Promise<void> {
  const stage = `http://127.0.0.1:${required(settings, "FOLLOWSPOT_STAGE_PORT")}`;
  const headers = {
    [STAGE_HEADERS.secret]: required(settings, "FOLLOWSPOT_STAGE_SECRET"),
    [STAGE_HEADERS.user]: "standby",
    [STAGE_HEADERS.name]: encodeURIComponent("First machine"),
    "content-type": "application/json",
  };
  return async (on) => {
    const body = JSON.stringify({ on });
    const answer = await fetch(`${stage}/blackout`, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!answer.ok) throw new Error(`the stage answered ${answer.status} to a blackout`);
  };
}
