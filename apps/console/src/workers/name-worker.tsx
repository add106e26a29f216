import { useMutation } from "@connectrpc/connect-query";
import { QueuesService } from "@followspot/contract/queues";
import { Copy } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { LocalLinkNote } from "../ui/local-link-note.tsx";
import { TextAreaField, TextField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { showToast } from "../ui/toast.tsx";
import { linkAddress } from "../lib/link-address.ts";
import { songWorkersStrings as text } from "./song-workers.strings.ts";
import { useRefresh } from "./workers.queries.ts";

const MOST_NAME = 60;

/** Dialog that adds a worker and shows its start command once. The command can only be closed with its button. */
export function AddWorker({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const refresh = useRefresh();
  const add = useMutation(QueuesService.method.addWorker, { onSuccess: refresh });
  if (add.data)
    return (
      <Dialog open wide title={text.startTitle(add.data.worker?.name ?? name)}>
        <StartCommand what={text.startWhat} start="npm run worker" token={add.data.token} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog open wide dirty={name !== ""} title={text.add} onClose={onClose}>
      <NameForm
        what={text.addWhat}
        name={name}
        setName={setName}
        label={text.addLabel}
        pendingLabel={text.adding}
        pending={add.isPending}
        error={add.error}
        onSubmit={(given) => add.mutate({ name: given })}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface RenameProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

export function RenameWorker({ id, name: before, onClose }: RenameProps) {
  const [name, setName] = useState(before);
  const refresh = useRefresh();
  const rename = useMutation(QueuesService.method.renameWorker, {
    onSuccess: () => {
      refresh();
      onClose();
    },
  });
  return (
    <Dialog open dirty={name !== before} title={text.renameOf(before)} onClose={onClose}>
      <NameForm
        name={name}
        setName={setName}
        label={text.renameLabel}
        pending={rename.isPending}
        error={rename.error}
        onSubmit={(given) => rename.mutate({ workerId: id, name: given })}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface NameProps {
  readonly what?: string;
  /** Label of the field; the workers' label by default. */
  readonly field?: string;
  readonly name: string;
  readonly setName: (name: string) => void;
  readonly label: string;
  readonly pendingLabel?: string;
  readonly pending: boolean;
  readonly error: unknown;
  /** Content below the field. */
  readonly children?: ReactNode;
  readonly onSubmit: (name: string) => void;
  readonly onClose: () => void;
}

/** Form for the name of a machine or venue. */
export function NameForm({ what, field = text.name, name, setName, error, children, onSubmit, ...actions }: NameProps) {
  const [isMissing, setMissing] = useState(false);
  return (
    <form
      noValidate
      className="contents"
      onSubmit={(submission) => {
        submission.preventDefault();
        const given = name.trim();
        setMissing(given === "");
        if (given !== "" && given.length <= MOST_NAME) onSubmit(given);
      }}
    >
      <DialogBody>
        <FormError error={error} />
        {what && <p className="text-sm text-muted">{what}</p>}
        <TextField
          label={field}
          most={MOST_NAME}
          error={isMissing ? text.nameMissing : undefined}
          value={name}
          onChange={(change) => setName(change.target.value)}
        />
        {children}
      </DialogBody>
      <SaveActions {...actions} />
    </form>
  );
}

interface StartProps {
  /** Instructions for the command. */
  readonly what: string;
  /** Start of the command, for example `npm run worker`. */
  readonly start: string;
  readonly token: string;
  readonly onClose: () => void;
}

/** Start command with the token, which is shown only once. */
export function StartCommand({ what, start, token, onClose }: StartProps) {
  const command = `${start} -- --server ${linkAddress()} --token ${token}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      showToast(text.copied);
    } catch {
      // Browsers provide no clipboard API over plain HTTP.
      showToast(text.copyFailed, { bad: true });
    }
  };
  return (
    <>
      <DialogBody>
        <p className="text-sm text-muted">{what}</p>
        <TextAreaField
          label={text.command}
          readOnly
          autoFocus
          rows={3}
          spellCheck={false}
          className="font-mono text-xs break-all"
          value={command}
          onFocus={({ target }) => target.select()}
        />
        <LocalLinkNote />
      </DialogBody>
      <DialogActions>
        <Button large onClick={() => void copy()}>
          <Copy aria-hidden size={14} /> {text.copy}
        </Button>
        <Button large variant="primary" onClick={onClose}>
          {text.done}
        </Button>
      </DialogActions>
    </>
  );
}
