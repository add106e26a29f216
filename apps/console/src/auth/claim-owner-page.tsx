import { useMutation } from "@connectrpc/connect-query";
import { AuthService } from "@followspot/contract/auth";
import { useState } from "react";
import { AT_THE_DOOR } from "../lib/query-client.ts";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { authStrings } from "./auth.strings.ts";
import { DoorPage } from "./door-page.tsx";

const text = authStrings.owner;
/** As strict as a browser's own check: something, an at sign, something. The server validates further. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

interface Claim {
  readonly token: string;
  readonly onDone: () => void;
}

/** Page behind the owner link of the first start. */
export function ClaimOwnerPage(claim: Claim) {
  return (
    <DoorPage title={text.title}>
      <p className="text-muted">{text.text}</p>
      <RpcProvider>
        <ClaimOwnerForm {...claim} />
      </RpcProvider>
    </DoorPage>
  );
}

function ClaimOwnerForm({ token, onDone }: Claim) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [isChecked, setChecked] = useState(false);
  const claim = useMutation(AuthService.method.claimOwner, { onSuccess: onDone, meta: AT_THE_DOOR });
  const nameProblem = name.trim() === "" ? text.nameRequired : undefined;
  const emailProblem = emailFault(email.trim());
  return (
    <>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(submission) => {
          submission.preventDefault();
          setChecked(true);
          if (nameProblem ?? emailProblem) return;
          claim.mutate({ token, name: name.trim(), email: email.trim() });
        }}
      >
        <FormError error={claim.error} />
        <TextField
          autoFocus
          label={text.name}
          error={isChecked ? nameProblem : undefined}
          value={name}
          onChange={(change) => setName(change.target.value)}
          autoComplete="name"
          most={200}
        />
        <TextField
          type="email"
          label={text.email}
          hint={text.emailHint}
          error={isChecked ? emailProblem : undefined}
          value={email}
          onChange={(change) => setEmail(change.target.value)}
          autoComplete="email"
          most={254}
        />
        <Button large type="submit" variant="primary" pending={claim.isPending}>
          {claim.isPending ? text.submitting : text.submit}
        </Button>
      </form>
      {claim.isError && (
        <Button variant="ghost" onClick={onDone}>
          {authStrings.signIn.title}
        </Button>
      )}
    </>
  );
}

/** An owner without an address could never sign in again. */
function emailFault(email: string): string | undefined {
  if (email === "") return text.emailRequired;
  return EMAIL.test(email) ? undefined : text.emailInvalid;
}
