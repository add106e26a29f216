import { Autocomplete } from "@base-ui/react/autocomplete";
import { AuditService } from "@followspot/contract/audit";
import { DirectorService } from "@followspot/contract/director";
import { EventService, type Event } from "@followspot/contract/event";
import { MusicService, type Song } from "@followspot/contract/music";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { signOut } from "../auth/sign-out.ts";
import { heldRows } from "../lib/list-source.ts";
import { queryClient } from "../lib/query-client.ts";
import { strings } from "../lib/strings.ts";
import { chooseTheme, THEMES } from "../lib/theme.ts";
import { Dialog } from "../ui/dialog.tsx";
import { findCommands, type Command } from "./find-commands.ts";

/** Type a few letters, press Enter: screens, songs already read, actions. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState("");
  const commands = useCommands();
  const found = findCommands(commands, query);
  const perform = (command: Command) => {
    onClose();
    command.perform();
  };
  return (
    <Dialog open title={strings.palette.title} onClose={onClose}>
      <Autocomplete.Root
        inline
        open
        items={commands}
        filteredItems={found}
        value={query}
        onValueChange={(text, { reason }) => reason !== "item-press" && setQuery(text)}
        itemToStringValue={({ text }) => text}
        autoHighlight="always"
        keepHighlight
      >
        <Autocomplete.Input
          autoFocus
          aria-label={strings.palette.title}
          placeholder={strings.palette.hint}
          className="h-10 shrink-0 border-b bg-bg px-4 text-sm -outline-offset-2"
        />
        <Autocomplete.List aria-label={strings.palette.title} className="h-72 overflow-auto p-1">
          {(command: Command) => (
            <Autocomplete.Item
              key={command.id}
              value={command}
              onClick={() => perform(command)}
              className="flex items-center justify-between gap-3 rounded-md px-3 py-1.5 data-highlighted:bg-raised"
            >
              <span className="truncate">{command.text}</span>
              <span className="shrink-0 text-xs text-muted">{command.kind}</span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
        <Autocomplete.Empty className="px-4 text-muted not-empty:pb-3">{strings.noMatch}</Autocomplete.Empty>
      </Autocomplete.Root>
    </Dialog>
  );
}

function useCommands(): readonly Command[] {
  const navigate = useNavigate();
  const can = useCan();
  const runsStage = can(DirectorService.method.goHome);
  const { kinds } = strings.palette;
  const toStage = (eventId: string) => () => void navigate({ to: "/events/$eventId/stage", params: { eventId } });
  const screens = [
    ["/", strings.product],
    ["/users", strings.tabs.users],
    ["/events", strings.tabs.events],
    ["/music", strings.tabs.music],
    ["/music/playlists", strings.palette.playlists],
    ["/lights", strings.tabs.lights],
    ...(can("playOnStage")
      ? ([
          ["/desk", strings.palette.desk],
          ["/tonight", strings.palette.tonight],
          ["/preflight", strings.palette.preflight],
          ["/rehearsal", strings.palette.rehearsal],
        ] as const)
      : []),
    ["/workers", strings.tabs.workers],
    ["/docs", strings.tabs.docs],
    ...(can(AuditService.method.listAuditEntries) ? ([["/log", strings.account.auditLog]] as const) : []),
    ["/chat", strings.chat.title],
  ] as const;
  return [
    ...screens.map(([to, text]) => ({ id: to, kind: kinds.screen, text, perform: () => void navigate({ to }) })),
    {
      id: "add song",
      kind: kinds.action,
      text: strings.palette.addSong,
      perform: () => void navigate({ to: "/music", search: { add: true } }),
    },
    ...(runsStage
      ? [
          { id: "stage", kind: kinds.screen, text: strings.palette.stageScreen, perform: toStage("default") },
          ...eventsInMemory().map(({ id, title }) => ({
            id: `stage ${id}`,
            kind: kinds.screen,
            text: strings.palette.stageScreenOf(title),
            perform: toStage(id),
          })),
        ]
      : []),
    ...THEMES.map((theme) => ({
      id: `theme ${theme}`,
      kind: kinds.action,
      text: `${strings.theme.label}: ${strings.theme[theme]}`,
      perform: () => chooseTheme(theme),
    })),
    { id: "sign out", kind: kinds.action, text: strings.account.signOut, perform: () => void signOut() },
    ...songsInMemory().map(({ id, title, artist }) => ({
      id: `song ${id}`,
      kind: kinds.song,
      text: artist ? `${title} · ${artist}` : title,
      perform: () => void navigate({ to: "/music/$id/visualizer", params: { id } }),
    })),
  ];
}

function eventsInMemory() {
  const events = heldRows<Event>(queryClient, EventService.method.listEvents, "events", ({ id }) => id);
  return events.filter(({ deletedAt }) => !deletedAt);
}

function songsInMemory() {
  return heldRows<Song>(queryClient, MusicService.method.listSongs, "songs", ({ id }) => id);
}
