import type { GetSignUpModeResponseJson, SendLoginCodeResponseJson } from "@followspot/contract/auth";
import { useEffect, useState } from "react";
import { call } from "./call.ts";
import { guestStrings } from "./guest.strings.ts";
import { signUpInvitation as invitation } from "./links.ts";
import { Button, Field, Problem, useAct } from "./parts.tsx";

const text = guestStrings.signIn;

/** Sign-in with a code sent to an address. New users also enter their name, if the community allows sign-up. */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const [target, setTarget] = useState("");
  const [name, setName] = useState("");
  const [code, setCode] = useState("");
  const [sent, setSent] = useState<string>();
  const [isTried, setTried] = useState(false);
  const [signUp, setSignUp] = useState<GetSignUpModeResponseJson>({});
  const { act, isBusy, problem, setProblem } = useAct();
  useEffect(() => {
    call<GetSignUpModeResponseJson>("auth.v1.AuthService/GetSignUpMode", { invitation }).then(
      setSignUp,
      () => undefined,
    ); // sign-in itself reports an unreachable server
  }, []);
  const who = { target: target.trim(), ...(signUp.isOpen && { name: name.trim(), invitation }) };
  const send = async () => {
    setTried(true);
    if (who.target === "") return;
    await act(async () =>
      setSent((await call<SendLoginCodeResponseJson>("auth.v1.AuthService/SendLoginCode", who)).message),
    );
    setTried(false);
  };
  const verify = async () => {
    setTried(true);
    if (code.trim() === "") return;
    if (await act(() => call("auth.v1.AuthService/VerifyLoginCode", { ...who, code: code.trim() }))) onDone();
  };
  const submit = sent === undefined ? send : verify;
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-5 p-6 text-[15px]">
      <h1 className="text-2xl font-semibold">{signUp.isOpen ? text.newTitle : text.title}</h1>
      {invitation !== "" && !signUp.isOpen && signUp.says && <p className="text-sm text-warn">{signUp.says}</p>}
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(submission) => {
          submission.preventDefault();
          void submit();
        }}
      >
        {sent === undefined ? (
          <>
            <Field
              label={text.target}
              type="text"
              inputMode="email"
              autoComplete="username"
              maxLength={254}
              value={target}
              problem={isTried && who.target === "" ? text.targetRequired : undefined}
              onChange={(change) => setTarget(change.target.value)}
            />
            {signUp.isOpen && (
              <Field
                label={text.name}
                autoComplete="name"
                maxLength={200}
                value={name}
                onChange={(change) => setName(change.target.value)}
              />
            )}
          </>
        ) : (
          <>
            <p role="status" className="text-sm text-muted">
              {sent}
            </p>
            <Field
              autoFocus
              label={text.code}
              hint={text.codeHint}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={40}
              value={code}
              problem={isTried && code.trim() === "" ? text.codeRequired : undefined}
              onChange={(change) => setCode(change.target.value)}
            />
          </>
        )}
        <Problem says={problem} />
        <Button type="submit" look="primary" disabled={isBusy}>
          {sent === undefined ? text.send : text.verify}
        </Button>
        {sent !== undefined && (
          <Button
            onClick={() => {
              setSent(undefined);
              setCode("");
              setProblem("");
            }}
          >
            {text.other}
          </Button>
        )}
      </form>
    </main>
  );
}
