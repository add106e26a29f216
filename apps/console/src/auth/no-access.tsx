import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { authStrings } from "./auth.strings.ts";
import { DoorPage } from "./door-page.tsx";
import { signOut } from "./sign-out.ts";

export function NoAccess({ name }: { readonly name: string }) {
  return (
    <DoorPage title={name || strings.account.label}>
      <p>{authStrings.signIn.noAccess}</p>
      <Button large onClick={() => void signOut()}>
        {strings.account.signOut}
      </Button>
    </DoorPage>
  );
}
