import { UserService } from "@followspot/contract/user";
import { useState } from "react";
import { useChange } from "../../lib/list-refresh.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { showToast } from "../../ui/toast.tsx";
import { USERS } from "../user.queries.ts";
import { ChooseFile, type ChosenFile } from "./choose-file.tsx";
import { ImportFile } from "./import-file.tsx";
import { importStrings as text } from "./import.strings.ts";
import { undoImport } from "./undo-import.ts";

/** Imports users from a file in four steps: choose the file, assign columns, check the preview, import. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const change = useChange(USERS);
  const [file, setFile] = useState<ChosenFile>();
  const [isWorking, setWorking] = useState(false);
  const close = (created: readonly string[], stored: number) => {
    onClose();
    if (stored === 0) return;
    const undo = () => void undoImport(created, (userId) => change(UserService.method.deleteUser, { userId }));
    showToast(text.done(stored), created.length > 0 ? { undo } : {});
  };
  const [done, setDone] = useState<{ readonly created: readonly string[]; readonly stored: number }>();
  const leave = () => close(done?.created ?? [], done?.stored ?? 0);
  return (
    <Dialog open wide title={text.title} dirty={isWorking} {...(!isWorking && { onClose: leave })}>
      {file ? (
        <ImportFile
          key={file.name}
          file={file}
          onWork={setWorking}
          onDone={(created, stored, isClean) => {
            if (isClean) close(created, stored);
            else setDone({ created, stored });
          }}
          onOther={() => setFile(undefined)}
          onClose={leave}
        />
      ) : (
        <ChooseFile onFile={setFile} onClose={onClose} />
      )}
    </Dialog>
  );
}
