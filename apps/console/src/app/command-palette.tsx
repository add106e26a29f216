import { Autocomplete } from "@base-ui/react/autocomplete";
import { useTransport } from "@connectrpc/connect-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { useSession } from "../auth/session.ts";
import { caller } from "../lib/list-source.ts";
import { keepChoice } from "../lib/recent-choices.ts";
import { strings } from "../lib/strings.ts";
import { cx } from "../ui/class-names.ts";
import { Dialog } from "../ui/dialog.tsx";
import { findByLetters, findByTypos, findCommands, type Command } from "./find-commands.ts";
import type { Thing } from "./find-things.ts";
import { playCommands, playQuery } from "./night-commands.ts";
import { KindIcon } from "./kind-icon.tsx";
import { useCommands, type CommandGroup } from "./use-commands.ts";
import { paletteStrings as text } from "./palette.strings.ts";
import { useFoundQuery, type FoundThings } from "./use-found-things.ts";

/**
 * Command palette: searches actions of the current screen, screens, new items, actions and items on the server. While
 * nothing is typed, recent choices come first.
 */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const user = useSession();
  const [query, setQuery] = useState("");
  const offered = useCommands();
  const { isPlay, rest } = playQuery(query);
  const found = useFoundQuery(rest);
  const navigate = useNavigate();
  const can = useCan();
  const transport = useTransport();
  // Recent choices are listed above already.
  const lately = new Set(offered.find(({ value }) => value === text.groups.recent)?.items.map(({ id }) => id));
  const isAbove = ({ id, text: name, kind }: Thing) =>
    lately.has(id) && findCommands([{ text: name, kind }], query).length > 0;
  const things = found.found.map(({ name, things: these }) => ({
    value: text.things[name],
    items: these
      .filter((thing) => !isAbove(thing))
      .map((thing) => ({ ...thing, perform: () => void navigate(thing.goal) })),
  }));
  const playable = found.found.flatMap(({ things: these }) => these);
  const play = { value: text.groups.play, items: playCommands(playable, isPlay, can, caller(transport)) };
  const isTyped = query.trim() !== "";
  const among = (find: typeof findCommands) =>
    offered.map((group) => ({ ...group, items: find(group.items, query) })).filter(({ items }) => items.length > 0);
  const held = [
    ...(isPlay ? [play] : []),
    ...(isTyped ? among(findCommands) : offered),
    ...things,
    ...(isPlay || !isTyped ? [] : [play]),
  ].filter(({ items }) => items.length > 0);
  // Exact matches come first: fuzzy matches would find too much.
  const alike = held.length > 0 || found.isSearching ? [] : among(findByTypos);
  const groups = held.length > 0 || found.isSearching ? held : alike.length > 0 ? alike : among(findByLetters);
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
                    <span className="flex min-w-0 items-center gap-2.5">
                      <KindIcon command={command} />
                      <span className="truncate">{command.text}</span>
                    </span>
                    <span className="max-w-[45%] shrink-0 truncate text-xs text-muted">
                      {command.keys ? (
                        <kbd className="font-sans">{command.keys}</kbd>
                      ) : (
                        (command.detail ?? (group.value === text.groups.recent ? command.kind : ""))
                      )}
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

/** Line below the list: searches that are pending or have failed. If nothing matches, it replaces the list. */
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
