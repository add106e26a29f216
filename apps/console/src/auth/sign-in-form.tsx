import { useMutation } from "@connectrpc/connect-query";
import { AuthService } from "@followspot/contract/auth";
import { useState } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/fields.tsx";
import { authStrings } from "./auth.strings.ts";

const text = authStrings.signIn;

/** Form for email or phone, then for the one-time code. */
export function SignInForm({ onDone }: { readonly onDone: () => void }) {
  const [target, setTarget] = useState("");
  const [code, setCode] = useState("");
  const [missing, setMissing] = useState<string>();
  const send = useMutation(AuthService.method.sendLoginCode);
  const again = useMutation(AuthService.method.sendLoginCode, { onSuccess: () => verify.reset() });
  const verify = useMutation(AuthService.method.verifyLoginCode, { onSuccess: onDone });
  const sent = send.isSuccess;
  const refused = sent ? (again.error ?? verify.error) : send.error;
  const message = (again.data ?? send.data)?.message;

  const submit = () => {
    if (!sent && target.trim().length < 3) return setMissing(text.targetRequired);
    if (sent && code.trim() === "") return setMissing(text.codeRequired);
    setMissing(undefined);
    again.reset();
    if (sent) verify.mutate({ target: target.trim(), code: code.replaceAll(/\s/g, "") });
    else send.mutate({ target: target.trim() });
  };
  const sendAgain = () => {
    setMissing(undefined);
    again.mutate({ target: target.trim() });
  };
  const startOver = () => {
    send.reset();
    again.reset();
    verify.reset();
    setCode("");
    setMissing(undefined);
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(submission) => {
        submission.preventDefault();
        submit();
      }}
    >
      {sent ? (
        <>
          {message && (
            <p role="status" className="text-sm text-muted">
              {message}
            </p>
          )}
          <TextField
            key="code"
            autoFocus
            label={text.code}
            hint={text.codeHint}
            error={missing ?? (refused ? plainErrorText(refused) : undefined)}
            value={code}
            onChange={(change) => setCode(change.target.value)}
            autoComplete="one-time-code"
            inputMode="numeric"
            most={12}
            className="font-mono tracking-widest"
          />
          <Button large type="submit" variant="primary" pending={verify.isPending}>
            {verify.isPending ? text.verifying : text.verify}
          </Button>
          <Button variant="ghost" pending={again.isPending} onClick={sendAgain}>
            {text.sendAgain}
          </Button>
          <Button variant="ghost" onClick={startOver}>
            {text.otherTarget}
          </Button>
        </>
      ) : (
        <>
          <TextField
            key="target"
            autoFocus
            label={text.target}
            hint={text.targetHint}
            error={missing ?? (refused ? plainErrorText(refused) : undefined)}
            value={target}
            onChange={(change) => setTarget(change.target.value)}
            autoComplete="username"
            most={254}
          />
          <Button large type="submit" variant="primary" pending={send.isPending}>
            {send.isPending ? text.sending : text.send}
          </Button>
        </>
      )}
    </form>
  );
}
