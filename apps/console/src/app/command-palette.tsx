import { MusicService, type ListSongsResponse } from "@followspot/contract/music";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState, type KeyboardEvent } from "react";
import { queryClient } from "../lib/query-client.ts";
import { strings } from "../lib/strings.ts";
import { chooseTheme, THEMES } from "../lib/theme.ts";
import { cx } from "../ui/class-names.ts";
import { Dialog } from "../ui/dialog.tsx";
import { findCommands, type Command } from "./find-commands.ts";
import { signOut } from "../auth/sign-out.ts";

/** Type a few letters, press Enter: screens, songs already read, actions. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const commands = findCommands(useCommands(), query);
  const chosen = Math.min(at, commands.length - 1);

  const perform = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.perform();
  };
  const press = (key: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key.key];
    if (step !== undefined && commands.length > 0) {
      key.preventDefault();
      setAt((chosen + step + commands.length) % commands.length);
    } else if (key.key === "Enter") {
      key.preventDefault();
      perform(commands[chosen]);
    }
  };

  return (
    <Dialog open title={strings.palette.title} onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        aria-label={strings.palette.title}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={commands[chosen] && `${id}-${chosen}`}
        placeholder={strings.palette.hint}
        className="h-10 shrink-0 border-b bg-bg px-4 text-sm -outline-offset-2"
        value={query}
        onKeyDown={press}
        onChange={(change) => {
          setQuery(change.target.value);
          setAt(0);
        }}
      />
      <ul id={id} role="listbox" aria-label={strings.palette.title} className="h-72 overflow-auto p-1">
        {commands.map((command, index) => (
          <li
            key={command.id}
            id={`${id}-${index}`}
            ref={index === chosen ? keepInView : undefined}
            role="option"
            aria-selected={index === chosen}
            onPointerMove={() => setAt(index)}
            onClick={() => perform(command)}
            className={cx(
              "flex items-center justify-between gap-3 rounded-md px-3 py-1.5",
              index === chosen && "bg-raised",
            )}
          >
            <span className="truncate">{command.text}</span>
            <span className="shrink-0 text-xs text-muted">{command.kind}</span>
          </li>
        ))}
      </ul>
      {commands.length === 0 && (
        <p role="status" className="px-4 pb-3 text-muted">
          {strings.noMatch}
        </p>
      )}
    </Dialog>
  );
}

const keepInView = (option: HTMLElement | null) => void option?.scrollIntoView({ block: "nearest" });

function useCommands(): readonly Command[] {
  const navigate = useNavigate();
  const { kinds } = strings.palette;
  const screens = [
    ["/", strings.product],
    ["/users", strings.tabs.users],
    ["/events", strings.tabs.events],
    ["/music", strings.tabs.music],
    ["/lights", strings.tabs.lights],
    ["/workers", strings.tabs.workers],
    ["/docs", strings.tabs.docs],
  ] as const;
  return [
    ...screens.map(([to, text]) => ({ id: to, kind: kinds.screen, text, perform: () => void navigate({ to }) })),
    {
      id: "add song",
      kind: kinds.action,
      text: strings.palette.addSong,
      perform: () => void navigate({ to: "/music", search: { add: true } }),
    },
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

function songsInMemory() {
  const queryKey = createConnectQueryKey({ schema: MusicService.method.listSongs, cardinality: "finite" });
  return queryClient.getQueriesData<ListSongsResponse>({ queryKey }).flatMap(([, list]) => list?.songs ?? []);
}
