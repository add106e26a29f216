import type { DescMethodUnary } from "@bufbuild/protobuf";
import { useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { UserRound } from "lucide-react";
import { useId, useState } from "react";
import { errorText } from "../lib/errors.ts";
import { caller, methodKey, type Call } from "../lib/list-source.ts";
import { cx } from "./class-names.ts";
import { SearchField } from "./fields.tsx";
import { Thumbnail } from "./thumbnail.tsx";

/** A user to choose. */
export interface PickedPerson {
  readonly id: string;
  readonly name: string;
  readonly photoUrl: string;
  /** Detail that distinguishes users with the same name. */
  readonly below?: string;
}

/** RPC that searches users. */
export interface PeopleSource {
  readonly method: DescMethodUnary;
  readonly find: (call: Call, query: string) => Promise<readonly PickedPerson[]>;
}

const LEAST_LETTERS = 2;

/** Search for users by name; a click chooses one. */
export function PeoplePicker({
  source,
  text,
  except,
  error,
  isFolded = false,
  onChoose,
}: {
  readonly source: PeopleSource;
  readonly text: {
    readonly people: string;
    readonly peopleHint: string;
    readonly none: string;
    readonly failed: string;
  };
  /** IDs of users that are already chosen. */
  readonly except: readonly string[];
  /** Validation error of the current choice. */
  readonly error?: string | undefined;
  /** Whether the result list takes no space before a search. */
  readonly isFolded?: boolean;
  readonly onChoose: (person: PickedPerson) => void;
}) {
  const id = useId();
  const [query, setQuery] = useState("");
  const transport = useTransport();
  const isAsked = query.trim().length >= LEAST_LETTERS;
  const found = useQuery({
    queryKey: [...methodKey(source.method), "picker", query],
    queryFn: isAsked ? ({ signal }) => source.find(caller(transport, signal), query) : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const people = isAsked ? (found.data?.filter((person) => !except.includes(person.id)) ?? []) : [];
  return (
    <div
      role="group"
      aria-labelledby={id}
      className="flex min-h-0 flex-col gap-2"
      // Enter in the search must not submit the surrounding form.
      onKeyDown={(key) => key.key === "Enter" && key.target instanceof HTMLInputElement && key.preventDefault()}
    >
      <p id={id} className="text-xs font-medium">
        {text.people}
      </p>
      <SearchField
        label={text.people}
        hint={text.peopleHint}
        value={query}
        problemId={error && `${id}-error`}
        onSearch={setQuery}
      />
      {found.isError && (
        <p role="alert" className="text-xs text-danger">
          {text.failed}: {errorText(found.error)}
        </p>
      )}
      <ul
        aria-label={text.people}
        hidden={isFolded && !isAsked}
        className={cx("flex flex-col overflow-auto rounded-md border", isFolded ? "max-h-44 shrink-0" : "h-44")}
      >
        {people.map((person) => (
          <li key={person.id}>
            <button
              type="button"
              onClick={() => onChoose(person)}
              className="flex w-full items-center gap-3 px-2 py-1 text-left -outline-offset-2 hover:bg-raised"
            >
              <Thumbnail round src={person.photoUrl} fallback={<UserRound size={16} />} />
              <span className="min-w-0">
                <span className="block truncate">{person.name}</span>
                {person.below && <span className="block truncate text-xs text-muted">{person.below}</span>}
              </span>
            </button>
          </li>
        ))}
        {isAsked && found.isSuccess && people.length === 0 && <li className="p-3 text-muted">{text.none}</li>}
      </ul>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
