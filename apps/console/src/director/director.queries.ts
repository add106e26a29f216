import type { DescMethodUnary, DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { callUnaryMethod, useQuery, useTransport } from "@connectrpc/connect-query";
import { DirectorService, type GetStageScreenResponse, type StageScreen } from "@followspot/contract/director";
import { EventService } from "@followspot/contract/event";
import { keepPreviousData, skipToken, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isOvertaken, plainErrorText } from "../lib/errors.ts";
import { methodKey } from "../lib/list-source.ts";
import { ServerClock } from "../lib/server-clock.ts";

const rpc = DirectorService.method;
/** Duration of the confirmation on a button, ms. */
const SHOWN_MS = 1500;
/** Vibration pattern for an accepted press, ms, on phones that support it; the buttons are used by touch in the dark. */
const TAKEN_PULSE = [20];
const REFUSED_PULSE = [80, 60, 80];

/** ID in URLs of the stage screen without an event. */
export const NO_EVENT = "default";

/** Converts a screen ID from the URL to request fields. The screen without an event has no ID in requests. */
export const ofScreen = (screenId: string) => (screenId === NO_EVENT ? {} : { eventId: screenId });

/** Queries the stage screen with live updates, and the server clock for its countdowns. */
export function useStageScreen(screenId: string) {
  const query = useQuery(rpc.getStageScreen, ofScreen(screenId));
  const screen = useNewest(query.data?.screen);
  const [clock] = useState(() => new ServerClock());
  useEffect(() => {
    if (screen?.serverTime) clock.hear(timestampMs(screen.serverTime));
  }, [screen, clock]);
  return { query, screen, clock };
}

/** Returns the state with the highest revision. A live event may arrive after the response to a later press. */
function useNewest(screen: StageScreen | undefined): StageScreen | undefined {
  const [newest, setNewest] = useState(screen);
  if (screen === undefined || screen === newest) return newest;
  if (newest && screen.id === newest.id && screen.revision < newest.revision) return newest;
  setNewest(screen);
  return screen;
}

interface ScreenAnswer {
  readonly screen?: StageScreen | undefined;
}

export interface Presses {
  /** Sends one press. @param name name of the button, which shows the result @returns whether the server accepted it */
  readonly press: <Input extends DescMessage, Output extends DescMessage>(
    name: string,
    method: DescMethodUnary<Input, Output>,
    input?: MessageInitShape<Input>,
  ) => Promise<boolean>;
  readonly isPending: (name: string) => boolean;
  /** Name of the button whose press was just accepted. */
  readonly taken: string | undefined;
  readonly refusal: string | undefined;
  readonly dismiss: () => void;
}

/** Sends the Director's presses on one screen, and tracks which are pending, accepted or rejected. */
export function usePresses(screenId: string): Presses {
  const transport = useTransport();
  const cache = useQueryClient();
  const [pending, setPending] = useState<readonly string[]>([]);
  const [taken, setTaken] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    if (taken === undefined) return undefined;
    const timer = setTimeout(() => setTaken(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [taken]);
  return {
    press: async (name, method, input) => {
      setPending((names) => [...names, name]);
      setTaken(undefined);
      try {
        const answer = await callUnaryMethod(transport, method, { ...ofScreen(screenId), ...input } as typeof input);
        // Every response except those about the link contains the new screen state.
        const { screen } = answer as ScreenAnswer;
        if (screen) hold(cache, screen);
        setTaken(name);
        setRefusal(undefined);
        pulse(TAKEN_PULSE);
        return true;
      } catch (error) {
        setRefusal(plainErrorText(error));
        pulse(REFUSED_PULSE);
        if (isOvertaken(error)) void cache.invalidateQueries({ queryKey: methodKey(rpc.getStageScreen) });
        return false;
      } finally {
        setPending((names) => names.toSpliced(names.indexOf(name), 1));
      }
    },
    isPending: (name) => pending.includes(name),
    taken,
    refusal,
    dismiss: () => setRefusal(undefined),
  };
}

function hold(cache: QueryClient, screen: StageScreen): void {
  cache.setQueriesData<GetStageScreenResponse>({ queryKey: methodKey(rpc.getStageScreen) }, (held) =>
    held?.screen?.id === screen.id && held.screen.revision <= screen.revision ? { ...held, screen } : held,
  );
}

function pulse(pattern: readonly number[]): void {
  // Not every browser supports vibration.
  navigator.vibrate?.([...pattern]);
}

export const useStageLink = (screenId: string) => useQuery(rpc.getStageLink, ofScreen(screenId));

/** Searches players by name; disabled for an empty query. */
export const usePlayers = (query: string) =>
  useQuery(
    rpc.listPlayers,
    { list: { query, pageSize: 8 } },
    { enabled: query !== "", staleTime: 5000, placeholderData: keepPreviousData },
  );

/** Returns the events to switch to: live ones, then upcoming ones. */
export function useEventsAround() {
  const list = (filter: string) => ({ list: { filter, pageSize: 20 } });
  const live = useQuery(EventService.method.listEvents, list("live"));
  const upcoming = useQuery(EventService.method.listEvents, list("upcoming"));
  return [...(live.data?.events ?? []), ...(upcoming.data?.events ?? [])];
}

/** Returns the event of a screen, for its title. */
export const useScreenEvent = (screenId: string) =>
  useQuery(EventService.method.getEvent, screenId === NO_EVENT ? skipToken : { eventId: screenId }).data?.event;
