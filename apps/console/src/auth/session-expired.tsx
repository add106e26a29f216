import { RpcProvider } from "../lib/rpc-provider.tsx";
import { strings } from "../lib/strings.ts";
import { Dialog, DialogBody } from "../ui/dialog.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** Sign-in over the page whose session ended; it stays until somebody is signed in. */
export function SessionExpired({ onDone }: { readonly onDone: () => void }) {
  return (
    <Dialog open title={strings.signIn.expiredTitle}>
      <DialogBody>
        <p className="text-muted">{strings.signIn.expiredText}</p>
        <RpcProvider>
          <SignInForm onDone={onDone} />
        </RpcProvider>
      </DialogBody>
    </Dialog>
  );
}
