import { ChatService, type ThreadMember } from "@followspot/contract/chat";
import { useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { UserRound } from "lucide-react";
import { useState } from "react";
import { errorText } from "../lib/errors.ts";
import { caller, methodKey } from "../lib/list-source.ts";
import { SearchField } from "../ui/fields.tsx";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { chatStrings } from "./chat.strings.ts";

const text = chatStrings.newThread;
const LEAST_LETTERS = 2;

/** People found by name; a press chooses one. */
export function PeoplePicker({
  except,
  onChoose,
}: {
  /** Who is chosen already. */
  readonly except: readonly string[];
  readonly onChoose: (person: ThreadMember) => void;
}) {
  const [query, setQuery] = useState("");
  const transport = useTransport();
  const isAsked = query.trim().length >= LEAST_LETTERS;
  const found = useQuery({
    queryKey: [...methodKey(ChatService.method.findPeople), query],
    queryFn: isAsked
      ? async ({ signal }) => (await caller(transport, signal)(ChatService.method.findPeople, { query })).people
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const people = isAsked ? (found.data?.filter(({ userId }) => !except.includes(userId)) ?? []) : [];
  return (
    <div className="flex min-h-0 flex-col gap-2">
      <p className="text-xs font-medium">{text.people}</p>
      <SearchField label={text.people} hint={text.peopleHint} value={query} onSearch={setQuery} />
      {found.isError && (
        <p role="alert" className="text-xs text-danger">
          {text.failed}: {errorText(found.error)}
        </p>
      )}
      <ul aria-label={text.people} className="flex h-44 flex-col overflow-auto rounded-md border">
        {people.map((person) => (
          <li key={person.userId}>
            <button
              type="button"
              onClick={() => onChoose(person)}
              className="flex w-full items-center gap-3 px-2 py-1 text-left -outline-offset-2 hover:bg-raised"
            >
              <Thumbnail round src={person.photoUrl} fallback={<UserRound size={16} />} />
              <span className="min-w-0 truncate">{person.name}</span>
            </button>
          </li>
        ))}
        {isAsked && found.isSuccess && people.length === 0 && <li className="p-3 text-muted">{text.none}</li>}
      </ul>
    </div>
  );
}
