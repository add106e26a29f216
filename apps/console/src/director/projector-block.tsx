import { DirectorService, type StageLink } from "@followspot/contract/director";
import { Copy, ExternalLink, QrCode as CodeMark } from "lucide-react";
import { useState } from "react";
import { errorSentence } from "../lib/errors.ts";
import { cx } from "../ui/class-names.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { QrCode } from "../ui/qr-code.tsx";
import { showToast } from "../ui/toast.tsx";
import { ofScreen, useStageLink, type Presses } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";
import { Block, FIELD, PressButton } from "./press-button.tsx";
import { TOUCH } from "../ui/touch.ts";

const rpc = DirectorService.method;

/** The link to the page for the projector. */
export function ProjectorBlock({ screenId, presses }: { readonly screenId: string; readonly presses: Presses }) {
  const { data, error, refetch } = useStageLink(screenId);
  const [asking, setAsking] = useState<"renew" | "withdraw">();
  const change = async (name: string, method: typeof rpc.createStageLink | typeof rpc.withdrawStageLink) => {
    setAsking(undefined);
    await presses.press(name, method as typeof rpc.createStageLink, ofScreen(screenId));
    await refetch();
  };
  return (
    <Block title={text.projector}>
      {error && (
        <p role="alert" className="text-danger">
          {errorSentence(error)}
        </p>
      )}
      {data && !data.link && (
        <>
          <p className="text-muted">{text.noLink}</p>
          <PressButton
            name="make link"
            look="primary"
            presses={presses}
            onPress={() => change("make link", rpc.createStageLink)}
          >
            {text.makeLink}
          </PressButton>
        </>
      )}
      {data?.link && (
        <>
          <p className="text-muted">{text.hasLink}</p>
          <LinkItself link={data.link} />
          <div className="grid grid-cols-2 gap-2">
            <PressButton name="renew link" presses={presses} onPress={() => setAsking("renew")}>
              {text.renewLink}
            </PressButton>
            <PressButton name="withdraw link" look="danger" presses={presses} onPress={() => setAsking("withdraw")}>
              {text.withdrawLink}
            </PressButton>
          </div>
        </>
      )}
      <ConfirmDialog
        open={asking === "renew"}
        title={text.renewLink}
        message={text.renewQuestion}
        confirmLabel={text.renewLink}
        onConfirm={() => void change("renew link", rpc.createStageLink)}
        onClose={() => setAsking(undefined)}
      />
      <ConfirmDialog
        open={asking === "withdraw"}
        title={text.withdrawLink}
        message={text.withdrawQuestion}
        confirmLabel={text.withdrawLink}
        onConfirm={() => void change("withdraw link", rpc.withdrawStageLink)}
        onClose={() => setAsking(undefined)}
      />
    </Block>
  );
}

function LinkItself({ link }: { readonly link: StageLink }) {
  const [showsCode, setShowsCode] = useState(false);
  const address = new URL(link.path, window.location.origin).href;
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => showToast(text.copied),
      () => showToast(text.copyFailed, { bad: true }),
    );
  const look = cx(TOUCH, "border-border bg-raised px-1");
  return (
    <>
      <input
        readOnly
        aria-label={text.linkAddress}
        value={address}
        onFocus={({ target }) => target.select()}
        className={FIELD}
      />
      <div className="grid grid-cols-3 gap-2">
        <a href={address} target="_blank" rel="noreferrer" className={look}>
          <ExternalLink aria-hidden size={16} /> {text.openLink}
        </a>
        <button type="button" className={look} onClick={() => void copy()}>
          <Copy aria-hidden size={16} /> {text.copyLink}
        </button>
        <button type="button" className={look} aria-pressed={showsCode} onClick={() => setShowsCode(!showsCode)}>
          <CodeMark aria-hidden size={16} className="max-[400px]:hidden" /> {showsCode ? text.hideCode : text.showCode}
        </button>
      </div>
      {showsCode && (
        <div className="mx-auto w-full max-w-72">
          <QrCode text={address} label={text.codeLabel} />
        </div>
      )}
    </>
  );
}
