import { EventService } from "@followspot/contract/event";
import { MusicService } from "@followspot/contract/music";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useCan } from "../auth/can.ts";
import { useSession } from "../auth/session.ts";
import { signOut } from "../auth/sign-out.ts";
import { shownValue } from "../desk/desk-connection.ts";
import { deskStrings } from "../desk/desk.strings.ts";
import { deskHandle, press } from "../desk/use-desk.ts";
import { chooseDensity, DENSITIES } from "../lib/density.ts";
import { caller, methodKey, type Call } from "../lib/list-source.ts";
import { keysInWords } from "../lib/key-table.ts";
import { useRetrySongs } from "../lib/retry-song.ts";
import { recentChoices } from "../lib/recent-choices.ts";
import { screenCommands } from "../lib/screen-commands.ts";
import { strings } from "../lib/strings.ts";
import { chooseTheme, THEMES } from "../lib/theme.ts";
import { DEMO_SONGS } from "../music/demo-songs.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import { newThingsFor, screensFor, type Place, type TalkEvent } from "./commands.ts";
import type { Command } from "./find-commands.ts";
import { EVERYWHERE_KEYS } from "./everywhere.keys.ts";
import { keyMapStrings } from "./key-map.strings.ts";
import { nightCommands } from "./night-commands.ts";
import { overlay } from "./overlay.ts";
import { failedSongs } from "./retry-failed.ts";
import { paletteStrings as text } from "./palette.strings.ts";

// A type alias, because the library requires an index signature, which interfaces lack.
export type CommandGroup = {
  /** Heading of the group. */
  readonly value: string;
  readonly items: readonly Command[];
};

/** Returns the commands that need no search on the server, in their groups. */
export function useCommands(): readonly CommandGroup[] {
  const user = useSession();
  const can = useCan();
  const navigate = useNavigate();
  const transport = useTransport();
  const event = useTalkEvent();
  const { mutateAsync: retrySongs } = useRetrySongs();
  // The screen's actions at the time the palette was opened.
  const [here] = useState(screenCommands);
  const [isBlack] = useState(() => shownValue(deskHandle.view(), "blackout") !== undefined);
  const [recent] = useState(() => recentChoices(user.id));
  return useMemo(() => {
    const toCommand = (kind: string, { goal, ...words }: Place): Command => ({
      ...words,
      id: `${kind} ${words.text}`,
      kind,
      goal,
      perform: () => void navigate(goal),
    });
    const { groups, kinds } = text;
    return [
      {
        value: groups.recent,
        items: recent.map((choice) => ({
          ...choice,
          perform: () => void navigate(choice.goal),
        })),
      },
      {
        value: groups.here,
        items: here.map((command) => ({ ...command, id: `here ${command.text}`, kind: kinds.here })),
      },
      { value: groups.screens, items: screensFor(can).map((place) => toCommand(kinds.screen, place)) },
      { value: groups.new, items: newThingsFor(can, event).map((place) => toCommand(kinds.new, place)) },
      {
        value: groups.actions,
        items: [
          ...(can("playOnStage")
            ? [
                {
                  id: "blackout",
                  kind: kinds.action,
                  text: isBlack ? text.lightsOn : deskStrings.blackout,
                  also: text.also.blackout,
                  perform: () => press("blackout", isBlack ? null : true),
                },
              ]
            : []),
          ...nightCommands(can, caller(transport)),
          ...(can(MusicService.method.retrySong)
            ? [
                {
                  id: "retry failed",
                  kind: kinds.action,
                  text: text.retryFailed,
                  also: text.also.retryFailed,
                  perform: () =>
                    void failedSongs(caller(transport))
                      .then(async (songs) => {
                        await retrySongs(songs);
                        showToast(text.retried(songs.length));
                      })
                      .catch(sayWhy),
                },
              ]
            : []),
          ...(can(MusicService.method.addDemoSong)
            ? [
                {
                  id: "demo songs",
                  kind: kinds.action,
                  text: text.addDemo,
                  also: text.also.addDemo,
                  perform: () => void addDemoSongs(caller(transport)),
                },
              ]
            : []),
          ...THEMES.map((theme) => ({
            id: `theme ${theme}`,
            kind: kinds.action,
            text: `${strings.theme.label}: ${strings.theme[theme]}`,
            also: text.also.theme,
            perform: () => chooseTheme(theme),
          })),
          ...DENSITIES.map((each) => ({
            id: `density ${each}`,
            kind: kinds.action,
            text: `${strings.density.label}: ${strings.density[each]}`,
            also: text.also.density,
            perform: () => chooseDensity(each),
          })),
          {
            id: "keys",
            kind: kinds.action,
            text: keyMapStrings.open,
            also: text.also.keys,
            keys: keysInWords(EVERYWHERE_KEYS.keys),
            // Runs after the palette has closed.
            perform: () => overlay.set("keys"),
          },
          {
            id: "sign out",
            kind: kinds.action,
            text: strings.account.signOut,
            also: text.also.signOut,
            perform: () => void signOut(),
          },
        ],
      },
    ];
  }, [can, navigate, transport, event, here, isBlack, recent, retrySongs]);
}

/** Adds the demo songs that are missing. */
async function addDemoSongs(call: Call): Promise<void> {
  try {
    for (const song of DEMO_SONGS) await call(MusicService.method.addDemoSong, { song });
    showToast(text.addedDemo);
  } catch (error) {
    sayWhy(error);
  }
}

/** Returns the event for a new talk: that of the current screen, otherwise the current or next event. */
function useTalkEvent(): TalkEvent | undefined {
  const { eventId } = useParams({ strict: false });
  const transport = useTransport();
  const method = EventService.method.listEvents;
  const next = useQuery({
    queryKey: [...methodKey(method), "next for a talk"],
    queryFn: async ({ signal }) => {
      const list = (filter: string) => ({ list: { filter, orderBy: "starts_at", pageSize: 1 } });
      const [on, coming] = await Promise.all(
        ["live", "upcoming"].map((filter) => callUnaryMethod(transport, method, list(filter), { signal })),
      );
      return on?.events[0] ?? coming?.events[0] ?? null;
    },
    enabled: eventId === undefined,
    retry: false,
  });
  const known = next.data;
  return useMemo(() => {
    if (eventId !== undefined) return eventId === "default" ? undefined : { id: eventId, title: "" };
    return known ? { id: known.id, title: known.title } : undefined;
  }, [eventId, known]);
}
