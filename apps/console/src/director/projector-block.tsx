import { DirectorService } from "@followspot/contract/director";
import { useState } from "react";
import { errorSentence } from "../lib/errors.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { LinkPanel } from "../ui/link-panel.tsx";
import { ofScreen, useStageLink, type Presses } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";
import { Block, PressButton } from "./press-button.tsx";

const rpc = DirectorService.method;

/** Link to the projector page, with buttons to create, replace and withdraw it. */
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
          <LinkPanel path={data.link.path} page={text.projectorPage} />
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
