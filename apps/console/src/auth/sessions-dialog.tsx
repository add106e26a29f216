import { Dialog } from "../ui/dialog.tsx";
import { authStrings } from "./auth.strings.ts";
import { SessionList } from "./session-list.tsx";

const text = authStrings.sessions;

/** Dialog with the sessions of the signed-in user. */
export function SessionsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={text.title} open onClose={onClose}>
      <SessionList userId="" />
    </Dialog>
  );
}
