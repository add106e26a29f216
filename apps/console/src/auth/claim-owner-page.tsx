import { useMutation } from "@connectrpc/connect-query";
import { AuthService } from "@followspot/contract/auth";
import { useState } from "react";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { DoorPage } from "./door-page.tsx";

const text = strings.owner;

interface Claim {
  readonly token: string;
  readonly onDone: () => void;
}

/** Behind the owner link of the first start. */
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
  const [nameMissing, setNameMissing] = useState(false);
  const claim = useMutation(AuthService.method.claimOwner, { onSuccess: onDone });
  return (
    <>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(submission) => {
          submission.preventDefault();
          setNameMissing(name.trim() === "");
          if (name.trim()) claim.mutate({ token, name: name.trim(), email: email.trim() });
        }}
      >
        <FormError error={claim.error} />
        <TextField
          autoFocus
          label={text.name}
          error={nameMissing ? text.nameRequired : undefined}
          value={name}
          onChange={(change) => setName(change.target.value)}
          autoComplete="name"
          maxLength={200}
        />
        <TextField
          type="email"
          label={text.email}
          hint={text.emailHint}
          value={email}
          onChange={(change) => setEmail(change.target.value)}
          autoComplete="email"
          maxLength={254}
        />
        <Button large type="submit" variant="primary" pending={claim.isPending}>
          {claim.isPending ? text.submitting : text.submit}
        </Button>
      </form>
      {claim.isError && (
        <Button variant="ghost" onClick={onDone}>
          {strings.signIn.title}
        </Button>
      )}
    </>
  );
}
