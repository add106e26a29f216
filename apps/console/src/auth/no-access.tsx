import { signOut } from "./sign-out.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { DoorPage } from "./door-page.tsx";

export function NoAccess({ name }: { readonly name: string }) {
  return (
    <DoorPage title={name || strings.account.label}>
      <p>{strings.signIn.noAccess}</p>
      <Button large onClick={() => void signOut()}>
        {strings.account.signOut}
      </Button>
    </DoorPage>
  );
}
