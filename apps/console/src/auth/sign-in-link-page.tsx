import { useMutation } from "@connectrpc/connect-query";
import { AuthService } from "@followspot/contract/auth";
import { AT_THE_DOOR } from "../lib/query-client.ts";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { authStrings } from "./auth.strings.ts";
import { DoorPage } from "./door-page.tsx";

const text = authStrings.link;

interface Link {
  readonly token: string;
  /** Name of the user who is already signed in in this browser. */
  readonly signedInAs?: string | undefined;
  readonly onDone: () => void;
  /** Called to keep the current session; the link is not used. */
  readonly onStay: () => void;
}

/**
 * Page behind a sign-in link printed on the server. The link works once, so it takes a press to use it up, not a mere
 * visit.
 */
export function SignInLinkPage(link: Link) {
  return (
    <DoorPage title={text.title}>
      <p className="text-muted">{text.text}</p>
      {link.signedInAs !== undefined && <p className="wrap-anywhere">{text.signedInAs(link.signedInAs)}</p>}
      <RpcProvider>
        <UseLink {...link} />
      </RpcProvider>
    </DoorPage>
  );
}

function UseLink({ token, signedInAs, onDone, onStay }: Link) {
  const use = useMutation(AuthService.method.useSignInLink, { onSuccess: onDone, meta: AT_THE_DOOR });
  return (
    <>
      <FormError error={use.error} />
      <Button large autoFocus variant="primary" pending={use.isPending} onClick={() => use.mutate({ token })}>
        {use.isPending ? authStrings.signIn.verifying : text.submit}
      </Button>
      {(signedInAs !== undefined || use.isError) && (
        <Button variant="ghost" onClick={onStay}>
          {signedInAs === undefined ? authStrings.signIn.title : text.stay(signedInAs)}
        </Button>
      )}
    </>
  );
}
