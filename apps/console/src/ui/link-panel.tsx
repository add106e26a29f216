import { Copy, ExternalLink, QrCode as CodeMark } from "lucide-react";
import { Suspense, useState } from "react";
import { serverPath } from "../lib/base-path.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { linkAddress } from "../lib/link-address.ts";
import { cx } from "./class-names.ts";
import { LocalLinkNote } from "./local-link-note.tsx";
import { showToast } from "./toast.tsx";
import { TOUCH } from "./touch.ts";

const QrCode = lazyPart(() => import("./qr-code.tsx"), "QrCode");

const text = {
  address: (page: string) => `Address of the ${page}`,
  open: "Open",
  copy: "Copy",
  copied: "Link copied",
  copyFailed: "The browser did not let us copy. Select the link by hand.",
  code: "QR code",
  hideCode: "Hide code",
  codeOf: (page: string) => `QR code of the ${page}`,
} as const;

/** A link that opens a page without sign-in: open it here, copy it, or scan its QR code with another device. */
export function LinkPanel({
  path,
  page,
  onOpen,
}: {
  readonly path: string;
  /** Name of the page, such as "projector page". */
  readonly page: string;
  /** Called when the link is opened here. */
  readonly onOpen?: () => void;
}) {
  const [showsCode, setShowsCode] = useState(false);
  const address = linkAddress() + path;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      showToast(text.copied);
    } catch {
      // The clipboard API does not exist over plain HTTP.
      showToast(text.copyFailed, { bad: true });
    }
  };
  const look = cx(TOUCH, "border-border bg-raised px-1");
  return (
    <>
      <input
        readOnly
        aria-label={text.address(page)}
        value={address}
        onFocus={({ target }) => target.select()}
        className="min-h-12 w-full min-w-0 rounded-lg border bg-bg px-3 py-2.5 text-base text-fg"
      />
      <LocalLinkNote />
      <div className="grid grid-cols-3 gap-2">
        <a href={serverPath(path)} target="_blank" rel="noreferrer" className={look} onClick={onOpen}>
          <ExternalLink aria-hidden size={16} /> {text.open}
        </a>
        <button type="button" className={look} onClick={() => void copy()}>
          <Copy aria-hidden size={16} /> {text.copy}
        </button>
        <button type="button" className={look} aria-pressed={showsCode} onClick={() => setShowsCode(!showsCode)}>
          <CodeMark aria-hidden size={16} className="max-[400px]:hidden" /> {showsCode ? text.hideCode : text.code}
        </button>
      </div>
      {showsCode && (
        <div className="mx-auto w-full max-w-72">
          <Suspense fallback={<div className="aspect-square" />}>
            <QrCode text={address} label={text.codeOf(page)} />
          </Suspense>
        </div>
      )}
    </>
  );
}
