import { RpcProvider } from "../lib/rpc-provider.tsx";
import { authStrings } from "./auth.strings.ts";
import { DoorPage } from "./door-page.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInPage({ onDone }: { readonly onDone: () => void }) {
  return (
    <DoorPage title={authStrings.signIn.title}>
      <RpcProvider>
        <SignInForm onDone={onDone} />
      </RpcProvider>
    </DoorPage>
  );
}
