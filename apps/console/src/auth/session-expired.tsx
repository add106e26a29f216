import { RpcProvider } from "../lib/rpc-provider.tsx";
import { Dialog, DialogBody } from "../ui/dialog.tsx";
import { authStrings } from "./auth.strings.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Sign-in dialog over the page whose session expired; it stays until the user has signed in. */
export function SessionExpired({ onDone }: { readonly onDone: () => void }) {
  return (
    <Dialog open title={authStrings.signIn.expiredTitle}>
      <DialogBody>
        <p className="text-muted">{authStrings.signIn.expiredText}</p>
        <RpcProvider>
          <SignInForm onDone={onDone} />
        </RpcProvider>
      </DialogBody>
    </Dialog>
  );
}
