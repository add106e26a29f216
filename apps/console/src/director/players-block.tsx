import { DirectorService } from "@followspot/contract/director";
import { useDeferredValue, useState } from "react";
import { errorSentence } from "../lib/errors.ts";
import { usePlayers, type Presses } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";
import { Block, FIELD, PressButton } from "./press-button.tsx";

/** Search for a member of the community to announce on the screen. */
export function PlayersBlock({ presses }: { readonly presses: Presses }) {
  const [typed, setTyped] = useState("");
  const query = useDeferredValue(typed.trim());
  const { data, error } = usePlayers(query);
  return (
    <Block title={text.players}>
      <input
        type="search"
        aria-label={text.searchPlayers}
        placeholder={text.searchPlayers}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className={FIELD}
      />
      {error && (
        <p role="alert" className="text-danger">
          {errorSentence(error)}
        </p>
      )}
      {query !== "" && data?.players.length === 0 && <p className="text-muted">{text.noPlayers}</p>}
      <ul className="flex flex-col gap-2">
        {query !== "" &&
          data?.players.map(({ id, name, points }) => (
            <li key={id}>
              <PressButton
                name={`player ${id}`}
                presses={presses}
                className="w-full justify-between"
                onPress={() => presses.press(`player ${id}`, DirectorService.method.announcePlayer, { playerId: id })}
              >
                <span className="truncate" dir="auto">
                  <span className="sr-only">{text.announcePlayer} </span>
                  {name}
                </span>
                <span className="ml-auto shrink-0 text-sm text-muted">{text.points(points)}</span>
              </PressButton>
            </li>
          ))}
      </ul>
    </Block>
  );
}
