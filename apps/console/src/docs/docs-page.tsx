import type { DescMessage } from "@bufbuild/protobuf";
import { ERROR_STATUS } from "@followspot/contract/method-errors";
import { getRouteApi } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { Fragment, useEffect, useState } from "react";
import { serverPath } from "../lib/base-path.ts";
import { plainErrorText } from "../lib/errors.ts";
import { serverAddress } from "../lib/link-address.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { SearchField } from "../ui/fields.tsx";
import { Page } from "../ui/page.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState } from "../ui/states.tsx";
import { showToast } from "../ui/toast.tsx";
import { catalogue, findMethods, insideOf, type DocField, type DocMethod, type DocService } from "./catalogue.ts";
import { commentOf } from "./comments.ts";
import { curlOf, typeScriptOf } from "./call-code.ts";
import { DOC_CATEGORIES, type DocsSearch } from "./docs-search.ts";
import { docsStrings as text } from "./docs.strings.ts";
import { exampleOf } from "./example-body.ts";
import { sampleOf } from "./sample-message.ts";
import { TryIt } from "./try-it.tsx";
import { WebSocketDocs } from "./websocket-docs.tsx";

const route = getRouteApi("/shell/docs");

export function DocsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: DocsSearch) => void navigate({ search: { ...search, ...next }, replace: true });
  return (
    <Page
      title={text.title}
      beside={
        <Segments
          label={text.tabs.label}
          value={search.tab ?? "api"}
          onChange={(tab) => change({ tab: tab === "websocket" ? tab : undefined })}
          segments={[
            { value: "api", label: text.tabs.api },
            { value: "websocket", label: text.tabs.websocket },
          ]}
        />
      }
      tools={
        !search.tab && (
          <>
            <Segments
              label={text.category}
              value={search.category ?? "All"}
              onChange={(category) => change({ category: category === "All" ? undefined : category })}
              segments={[
                { value: "All" as const, label: text.all },
                ...DOC_CATEGORIES.map((category) => ({ value: category, label: category })),
              ]}
            />
            <SearchField
              label={text.search}
              hint={text.searchHint}
              value={search.q ?? ""}
              onSearch={(q) => change({ q: q || undefined })}
            />
          </>
        )
      }
    >
      {search.tab ? (
        <WebSocketDocs />
      ) : (
        <ApiDocs services={findMethods(catalogue, search.q ?? "", search.category)} given={search.body} />
      )}
    </Page>
  );
}

function ApiDocs({
  services,
  given,
}: {
  readonly services: readonly DocService[];
  /** The body in the address, of the method that it names. */
  readonly given: string | undefined;
}) {
  useOpenCard();
  const named = hashId();
  if (services.length === 0) return <EmptyState text={text.empty} />;
  return (
    <div className="flex min-h-0 flex-1 gap-6">
      <nav aria-label={text.services} className="w-52 shrink-0 overflow-auto max-md:hidden">
        {services.map((service) => (
          <div key={service.typeName} className="mb-3">
            <a href={`#${service.typeName}`} className="font-medium hover:underline">
              {service.name}
            </a>
            <ul className="mt-0.5">
              {service.methods.map((method) => (
                <li key={method.name}>
                  <a
                    href={`#${service.typeName}.${method.name}`}
                    className="block truncate py-1 pl-3 text-xs text-muted hover:text-fg"
                  >
                    {method.name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div
        className="flex min-w-0 flex-1 flex-col gap-6 md:overflow-auto"
        tabIndex={0}
        role="group"
        aria-label={text.services}
      >
        <p className="text-muted">{text.bearer}</p>
        <Downloads />
        {services.map((service) => (
          <section
            key={service.typeName}
            id={service.typeName}
            aria-label={service.name}
            className="flex flex-col gap-2"
          >
            <h2 className="text-sm font-semibold">
              {service.name} <span className="ml-2 text-xs font-normal text-muted">{service.category}</span>
            </h2>
            <Comment of={service.typeName} />
            {service.methods.map((method) => (
              <MethodCard
                key={method.name}
                id={`${service.typeName}.${method.name}`}
                method={method}
                given={named === `${service.typeName}.${method.name}` ? given : undefined}
              />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

/** Descriptions of the API for other tools, made by the server from the same contract. */
function Downloads() {
  const { label, openApi, asyncApi, descriptors, protos } = text.files;
  const files = [
    ["openapi.json", openApi],
    ["asyncapi.json", asyncApi],
    ["followspot.binpb", descriptors],
    ["protos.zip", protos],
  ] as const;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-x-4 gap-y-1">
      {files.map(([name, title]) => (
        <li key={name}>
          <a href={serverPath(`/api/${name}`)} download={name} className="text-accent hover:underline">
            {title} <span className="font-mono text-xs text-muted">{name}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A card that the address names is open, at once and after every jump. */
function useOpenCard(): void {
  useEffect(() => {
    const open = () => {
      const card = document.getElementById(hashId());
      if (card instanceof HTMLDetailsElement) card.open = true;
      // A browser goes to what the address names while the page comes, which is before it is drawn.
      card?.scrollIntoView?.({ block: "start" });
    };
    open();
    addEventListener("hashchange", open);
    return () => removeEventListener("hashchange", open);
  }, []);
}

/** Id of the card that the address names. */
const hashId = (): string => decodeURIComponent(window.location.hash.slice(1));

function MethodCard({
  id,
  method,
  given,
}: {
  readonly id: string;
  readonly method: DocMethod;
  readonly given: string | undefined;
}) {
  const navigate = route.useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [body, setBody] = useState(given);
  // The address names the card that was opened last, so that it can be handed on.
  const toggle = (open: boolean) => {
    setOpen(open);
    // A body in it is of another card.
    const search = given === undefined ? (all: DocsSearch) => ({ ...all, body: undefined }) : (true as const);
    if (open) void navigate({ search, hash: id, replace: true, resetScroll: false, hashScrollIntoView: false });
  };
  const shown = body ?? (isOpen ? JSON.stringify(exampleOf(method.descriptor.input), null, 2) : "{}");
  return (
    <details
      id={id}
      className="rounded-lg border bg-surface open:pb-3"
      onToggle={({ currentTarget }) => toggle(currentTarget.open)}
    >
      <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2 hover:bg-raised">
        <span className="rounded bg-raised px-1.5 font-mono text-xs text-ok">POST</span>
        <span className="font-medium">{method.name}</span>
        <span className="font-mono text-xs wrap-anywhere text-muted">
          {method.path.split(/(?<=[./])/).map((part) => (
            <Fragment key={part}>
              {part}
              <wbr />
            </Fragment>
          ))}
        </span>
        <span className="ml-auto text-xs text-muted">{text.access(method.access)}</span>
      </summary>
      <div className="flex flex-col gap-3 px-3 pt-2">
        <Comment of={id} />
        <div className="grid gap-3 md:grid-cols-2">
          <Message
            title={text.request}
            type={method.descriptor.input}
            fields={method.requestFields}
            onUse={(example) => setBody(example)}
          />
          <Message title={text.response} type={method.descriptor.output} fields={method.responseFields} />
        </div>
        <Errors of={method} />
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void copy(curlOf(method, shown, serverAddress()))}>{text.copy}</Button>
          <Button onClick={() => void copy(typeScriptOf(method, shown, serverAddress()))}>{text.copyTypeScript}</Button>
          <Button onClick={() => void copy(linkOf(id, shown))}>{text.copyLink}</Button>
        </div>
        {isOpen && <TryIt method={method} body={shown} onBody={setBody} />}
      </div>
    </details>
  );
}

/** What the contract says of what has this name. */
function Comment({ of }: { readonly of: string }) {
  const comment = commentOf(of);
  return comment && <p className="mb-1 font-sans text-xs text-muted">{comment}</p>;
}

function Message({
  title,
  type,
  fields,
  onUse,
}: {
  readonly title: string;
  readonly type: DescMessage;
  readonly fields: readonly DocField[];
  /** Puts its example into the body; an answer's is only read. */
  readonly onUse?: (example: string) => void;
}) {
  const [isShown, setShown] = useState(false);
  const example = isShown ? JSON.stringify(sampleOf(type), null, 2) : "";
  return (
    <div className="min-w-0">
      <p className="mb-1 text-xs text-muted">
        {title} <span className="font-mono text-fg">{type.name}</span>
      </p>
      <Comment of={type.typeName} />
      {fields.length === 0 ? <p className="text-xs text-muted">{text.noFields}</p> : <Fields fields={fields} />}
      {fields.length > 0 && (
        <details className="mt-2 rounded-md border" onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
          <summary className="rounded-md px-2 py-1 text-xs text-muted hover:bg-raised">
            {text.example(type.name)}
          </summary>
          {isShown && (
            <>
              <pre tabIndex={0} className="max-h-96 overflow-auto border-t p-2 font-mono text-xs">
                {example}
              </pre>
              {onUse && (
                <Button className="m-2" onClick={() => onUse(example)}>
                  {text.useExample}
                </Button>
              )}
            </>
          )}
        </details>
      )}
    </div>
  );
}

/** How the method refuses, folded as most readers come for the fields. */
function Errors({ of: { errors } }: { readonly of: DocMethod }) {
  return (
    <details className="rounded-md border">
      <summary className="rounded-md px-2 py-1 text-xs text-muted hover:bg-raised">
        {text.errors(errors.length)}
      </summary>
      <dl className="border-t text-xs">
        {errors.map(({ code, when, todo }) => (
          <div key={code} className="grid gap-x-3 border-b px-2 py-1 last:border-b-0 md:grid-cols-[12rem_1fr]">
            <dt className="font-mono">
              {code} <span className="text-muted">{ERROR_STATUS[code]}</span>
            </dt>
            <dd>
              {when} <span className="text-muted">{todo}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Fields({ fields }: { readonly fields: readonly DocField[] }) {
  return (
    <ul className="rounded-md border font-mono text-xs">
      {fields.map((field) => (
        <li key={field.name} className="border-b last:border-b-0">
          <FieldRow field={field} />
        </li>
      ))}
    </ul>
  );
}

/** A field whose type holds something opens to show it: drawn when it is opened, as types may hold themselves. */
function FieldRow({ field: { name, type, of, choice, comment, limits } }: { readonly field: DocField }) {
  const [isOpen, setOpen] = useState(false);
  const line = (
    <>
      <span className="wrap-anywhere">{name}</span>
      <span className="ml-auto pl-3 text-right text-muted">{choice ? `${type}, ${text.oneOf(choice)}` : type}</span>
    </>
  );
  const said = (comment || limits) && (
    <p className="px-2 pb-1 font-sans text-muted">
      {comment}
      {comment && limits && " "}
      {limits && <span className="text-fg">{text.limits(limits)}</span>}
    </p>
  );
  if (!of || of.typeName.startsWith("google.")) {
    return (
      <>
        <div className="flex px-2 py-1">{line}</div>
        {said}
      </>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        title={text.inside(of.name)}
        className="flex w-full gap-1.5 px-2 py-1 text-left -outline-offset-2 hover:bg-raised"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight aria-hidden size={12} className={cx("mt-0.5 shrink-0 text-muted", isOpen && "rotate-90")} />
        {line}
      </button>
      {said}
      {isOpen && (
        <div className="pb-2 pl-4 pr-2">
          <Comment of={of.typeName} />
          <Fields fields={insideOf(of)} />
        </div>
      )}
    </>
  );
}

/** An address that opens the card with this body in its form; only who presses the button puts a body into an address. */
function linkOf(id: string, body: string): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}?body=${encodeURIComponent(body)}#${id}`;
}

async function copy(code: string): Promise<void> {
  // Only pages from a safe address are given a clipboard.
  const clipboard = (navigator as { readonly clipboard?: Clipboard }).clipboard;
  try {
    if (!clipboard) return void showToast(text.notCopied, { bad: true });
    await clipboard.writeText(code);
    showToast(text.copied);
  } catch (error) {
    showToast(plainErrorText(error), { bad: true });
  }
}
