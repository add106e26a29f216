import { outputName } from "@followspot/contract";
import type { Output, TestOutputResponse } from "@followspot/contract/lights";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { useTestOutput } from "./outputs.queries.ts";
import { outputStrings } from "./outputs.strings.ts";

const text = outputStrings.test;

/** Button that lights the fixtures of one output for 2 s; asks first if they have a holder. */
export function TestButton({ output, onTold }: { readonly output: Output; readonly onTold: (words: string) => void }) {
  const test = useTestOutput();
  /** Response that names the holder of the fixtures. */
  const [held, setHeld] = useState<TestOutputResponse>();
  const run = (takeOver: boolean) =>
    test.mutate(
      { id: output.id, takeOver },
      {
        onError: sayWhy,
        onSuccess: (told) => (told.sent ? onTold(resultInWords(output, told)) : setHeld(told)),
        onSettled: () => takeOver && setHeld(undefined),
      },
    );
  return (
    <>
      <Button
        aria-describedby={rowTitleId(output.id)}
        pending={test.isPending}
        disabled={!output.enabled}
        title={output.enabled ? text.hint : text.off}
        onClick={() => run(false)}
      >
        {test.isPending ? text.testing : text.test}
      </Button>
      {held && (
        <ConfirmDialog
          open
          title={text.title(outputName(output))}
          message={text.question(holderInWords(held))}
          confirmLabel={text.anyway}
          pending={test.isPending}
          onClose={() => setHeld(undefined)}
          onConfirm={() => run(true)}
        />
      )}
    </>
  );
}

const holderInWords = ({ holder, holderName }: TestOutputResponse): string =>
  holder === "desk" ? text.desk(holderName) : (text.holders[holder] ?? text.holders["song"]!);

/** Formats what was sent and whether the node responded. */
function resultInWords(output: Output, { lamps, trouble, echo, nodeName }: TestOutputResponse): string {
  const sent = lamps === 0 ? text.noLamps(output.universe) : text.lit(lamps, output.universe);
  // The row shows why it is down.
  if (trouble !== "") return text.notSent;
  if (echo === "answered") return `${sent} ${text.answered(nodeName)}`;
  if (echo === "unanswered") return `${sent} ${text.unanswered}`;
  return `${sent} ${output.protocol === "sacn" ? text.sacnUnheard : text.usbUnheard}`;
}
