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
/** How long a button says that its press was taken. */
const SHOWN_MS = 1500;
/** A press by feel in the dark is answered by feel, where the phone can. */
const TAKEN_PULSE = [20];
const REFUSED_PULSE = [80, 60, 80];

/** Id of the screen of no event, as addresses have it. */
export const NO_EVENT = "default";

/** Of an address: the screen of no event is asked for without an id. */
export const ofScreen = (screenId: string) => (screenId === NO_EVENT ? {} : { eventId: screenId });

/** What the screen shows, followed live; and the clock its countdowns go by. */
export function useStageScreen(screenId: string) {
  const query = useQuery(rpc.getStageScreen, ofScreen(screenId));
  const screen = useNewest(query.data?.screen);
  const [clock] = useState(() => new ServerClock());
  useEffect(() => {
    if (screen?.serverTime) clock.hear(timestampMs(screen.serverTime));
  }, [screen, clock]);
  return { query, screen, clock };
}

/** An envelope may come after the answer to a later press: what was seen last is never taken back. */
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
  /** Makes one press. @param name of the button, which says what became of it @returns whether it was taken */
  readonly press: <Input extends DescMessage, Output extends DescMessage>(
    name: string,
    method: DescMethodUnary<Input, Output>,
    input?: MessageInitShape<Input>,
  ) => Promise<boolean>;
  readonly isPending: (name: string) => boolean;
  /** Name of the button whose press was taken just now. */
  readonly taken: string | undefined;
  readonly refusal: string | undefined;
  readonly dismiss: () => void;
}

/** Presses of the director on one screen: each is acknowledged, or says why it was not taken. */
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
        // Of every press but those of the link: what the screen shows now.
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
  // Not every browser has it.
  navigator.vibrate?.([...pattern]);
}

export const useStageLink = (screenId: string) => useQuery(rpc.getStageLink, ofScreen(screenId));

/** Players by name; an empty list for an empty search. */
export const usePlayers = (query: string) =>
  useQuery(
    rpc.listPlayers,
    { list: { query, pageSize: 8 } },
    { enabled: query !== "", staleTime: 5000, placeholderData: keepPreviousData },
  );

/** Events that a director may want to switch to: those that go on, then those to come. */
export function useEventsAround() {
  const list = (filter: string) => ({ list: { filter, pageSize: 20 } });
  const live = useQuery(EventService.method.listEvents, list("live"));
  const upcoming = useQuery(EventService.method.listEvents, list("upcoming"));
  return [...(live.data?.events ?? []), ...(upcoming.data?.events ?? [])];
}

/** The event of a screen, for its title. */
export const useScreenEvent = (screenId: string) =>
  useQuery(EventService.method.getEvent, screenId === NO_EVENT ? skipToken : { eventId: screenId }).data?.event;
