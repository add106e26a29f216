import { Button } from "../ui/button.tsx";
import { useState } from "react";
import type { Found } from "./output-fields.ts";
import { outputStrings as text } from "./outputs.strings.ts";

/** Ports of nodes that responded and connected adapters; one press turns each into an output. */
export function FoundList({
  nodes,
  adapters,
  onUse,
}: {
  readonly nodes: readonly Found[];
  readonly adapters: readonly Found[];
  /** Undefined for read-only users. */
  readonly onUse: ((found: Found) => Promise<void>) | undefined;
}) {
  return (
    <section aria-labelledby="found-outputs" className="flex flex-col gap-2 border-t px-4 py-3">
      <h3 id="found-outputs" className="text-sm font-semibold">
        {text.foundTitle}
      </h3>
      <Part found={nodes} none={text.nodesNone} onUse={onUse} />
      <Part found={adapters} none={text.devicesNone} onUse={onUse} />
    </section>
  );
}

function Part({
  found,
  none,
  onUse,
}: {
  readonly found: readonly Found[];
  readonly none: string;
  readonly onUse: ((found: Found) => Promise<void>) | undefined;
}) {
  if (found.length === 0) return <p className="text-xs text-muted">{none}</p>;
  return (
    <ul className="flex flex-col gap-1">
      {found.map((each) => (
        <FoundRow key={each.key} found={each} onUse={onUse} />
      ))}
    </ul>
  );
}

function FoundRow({
  found,
  onUse,
}: {
  readonly found: Found;
  readonly onUse: ((found: Found) => Promise<void>) | undefined;
}) {
  const [isPending, setIsPending] = useState(false);
  return (
    <li className="flex items-center gap-3">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{found.name}</span>
        <span className="block truncate font-mono text-xs text-muted">{found.detail}</span>
      </span>
      {found.output && onUse ? (
        <Button
          aria-label={text.useFor(found.output.universe, `${found.name}, ${found.detail}`)}
          pending={isPending}
          onClick={() => {
            setIsPending(true);
            void onUse(found).finally(() => setIsPending(false));
          }}
        >
          {text.use(found.output.universe)}
        </Button>
      ) : (
        !found.output && <span className="text-xs text-muted">{text.inUse}</span>
      )}
    </li>
  );
}
