import { Autocomplete } from "@base-ui/react/autocomplete";
import { EventService } from "@followspot/contract/event";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useCan } from "../auth/can.ts";
import { useSession } from "../auth/session.ts";
import { signOut } from "../auth/sign-out.ts";
import { shownValue } from "../desk/desk-line.ts";
import { deskStrings } from "../desk/desk.strings.ts";
import { deskHandle, press } from "../desk/use-desk.ts";
import { chooseDensity, DENSITIES } from "../lib/density.ts";
import { caller, methodKey } from "../lib/list-source.ts";
import { keepChoice, recentChoices } from "../lib/recent-choices.ts";
import { screenCommands } from "../lib/screen-commands.ts";
import { strings } from "../lib/strings.ts";
import { chooseTheme, THEMES } from "../lib/theme.ts";
import { cx } from "../ui/class-names.ts";
import { Dialog } from "../ui/dialog.tsx";
import { newThingsFor, screensFor, type Place, type TalkEvent } from "./commands.ts";
import { findByLetters, findCommands, type Command } from "./find-commands.ts";
import { keyMapStrings } from "./key-map.strings.ts";
import { nightCommands, playCommands, playWish } from "./night-commands.ts";
import { overlay } from "./overlay.ts";
import { paletteStrings as text } from "./palette.strings.ts";
import { useFoundThings, type FoundThings } from "./use-found-things.ts";

// A type of its own shape: the library asks for an index signature, which an interface has not.
type CommandGroup = {
  /** Its heading. */
  readonly value: string;
  readonly items: readonly Command[];
};

/**
 * Type a few letters, press Enter: what the screen in front can do, screens, new things, actions, and what the server
 * finds. While nothing is typed, what was chosen lately stands first.
 */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const user = useSession();
  const [query, setQuery] = useState("");
  const offered = useCommands();
  const { isPlay, rest } = playWish(query);
  const found = useFoundThings(rest);
  const navigate = useNavigate();
  const can = useCan();
  const transport = useTransport();
  const things = found.found.map(({ name, things: these }) => ({
    value: text.things[name],
    items: these.map((thing) => ({ ...thing, perform: () => void navigate(thing.goal) })),
  }));
  const playable = found.found.flatMap(({ things: these }) => these);
  const play = { value: text.groups.play, items: playCommands(playable, isPlay, can, caller(transport)) };
  const isTyped = query.trim() !== "";
  const held = [
    ...(isPlay ? [play] : []),
    ...(isTyped ? offered.map((group) => ({ ...group, items: findCommands(group.items, query) })) : offered),
    ...things,
    ...(isPlay || !isTyped ? [] : [play]),
  ].filter(({ items }) => items.length > 0);
  // What is spelled out goes first: letters alone are in much.
  const groups =
    held.length > 0 || found.isSearching
      ? held
      : offered
          .map((group) => ({ ...group, items: findByLetters(group.items, query) }))
          .filter(({ items }) => items.length > 0);
  const perform = (command: Command) => {
    if (command.goal) keepChoice(user.id, { ...command, goal: command.goal });
    onClose();
    command.perform();
  };
  return (
    <Dialog open title={text.title} onClose={onClose}>
      <Autocomplete.Root
        inline
        open
        items={groups}
        filteredItems={groups}
        value={query}
        onValueChange={(typed, { reason }) => reason !== "item-press" && setQuery(typed)}
        itemToStringValue={(command: Command) => command.text}
        autoHighlight="always"
        keepHighlight
      >
        <Autocomplete.Input
          autoFocus
          aria-label={text.title}
          placeholder={text.hint}
          className="h-10 shrink-0 border-b bg-bg px-4 text-sm -outline-offset-2"
        />
        <Autocomplete.List aria-label={text.title} className="h-80 max-h-[60dvh] overflow-auto p-1 data-empty:hidden">
          {(group: CommandGroup) => (
            <Autocomplete.Group key={group.value} items={group.items}>
              <Autocomplete.GroupLabel className="px-3 pt-2 pb-1 text-xs text-muted">
                {group.value}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(command: Command) => (
                  <Autocomplete.Item
                    key={command.id}
                    value={command}
                    onClick={() => perform(command)}
                    className="flex min-h-9 items-center justify-between gap-3 rounded-md px-3 py-1 data-highlighted:bg-raised sm:min-h-8"
                  >
                    <span className="truncate">{command.text}</span>
                    <span className="max-w-[45%] shrink-0 truncate text-xs text-muted">
                      {command.detail ?? (group.value === text.groups.recent ? command.kind : "")}
                    </span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        <Progress found={found} isEmpty={groups.length === 0} />
      </Autocomplete.Root>
    </Dialog>
  );
}

/** Below the list: what is still to come or did not come. Where nothing matches it stands in place of the list. */
function Progress({ found, isEmpty }: { readonly found: FoundThings; readonly isEmpty: boolean }) {
  const failures = found.failed.map(({ name, why }) => text.failed(text.things[name], why));
  return (
    <Autocomplete.Status
      className={cx(
        "shrink-0 px-4 text-xs text-muted not-empty:py-2",
        isEmpty ? "h-80 max-h-[60dvh]" : "not-empty:border-t",
      )}
    >
      {found.isSearching ? text.searching : isEmpty && failures.length === 0 ? strings.noMatch : null}
      {failures.map((failure) => (
        <span key={failure} className="block wrap-anywhere text-warn">
          {failure}
        </span>
      ))}
    </Autocomplete.Status>
  );
}

/** What there is to choose without asking for it, in its groups. */
function useCommands(): readonly CommandGroup[] {
  const user = useSession();
  const can = useCan();
  const navigate = useNavigate();
  const transport = useTransport();
  const event = useTalkEvent();
  // As the screen was when the palette was opened.
  const [here] = useState(screenCommands);
  const [isBlack] = useState(() => shownValue(deskHandle.view(), "blackout") !== undefined);
  const [recent] = useState(() => recentChoices(user.id));
  return useMemo(() => {
    const toCommand = (kind: string, { text: name, goal }: Place): Command => ({
      id: `${kind} ${name}`,
      kind,
      text: name,
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
                  perform: () => press("blackout", isBlack ? null : true),
                },
              ]
            : []),
          ...nightCommands(can, caller(transport)),
          ...THEMES.map((theme) => ({
            id: `theme ${theme}`,
            kind: kinds.action,
            text: `${strings.theme.label}: ${strings.theme[theme]}`,
            perform: () => chooseTheme(theme),
          })),
          ...DENSITIES.map((each) => ({
            id: `density ${each}`,
            kind: kinds.action,
            text: `${strings.density.label}: ${strings.density[each]}`,
            perform: () => chooseDensity(each),
          })),
          {
            id: "keys",
            kind: kinds.action,
            text: keyMapStrings.open,
            // After the palette has closed.
            perform: () => overlay.set("keys"),
          },
          { id: "sign out", kind: kinds.action, text: strings.account.signOut, perform: () => void signOut() },
        ],
      },
    ];
  }, [can, navigate, transport, event, here, isBlack, recent]);
}

/** Talks are made for the event in front, else for the one that is on or comes next. */
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
