import type { GetSignUpModeResponseJson, SendLoginCodeResponseJson } from "@followspot/contract/auth";
import { useEffect, useId, useState } from "react";
import { call } from "./call.ts";
import { guestStrings } from "./guest.strings.ts";
import { openedInvitation, type Invitation } from "./links.ts";
import { Button, Field, Problem, useAct } from "./parts.tsx";

const text = guestStrings.signIn;

/** Whether the guest has an account; undefined until they choose. */
type Who = "new" | "known" | undefined;

/** Sign-in with a code sent to an address. New guests also enter their name, if sign-up is open to them. */
export function SignIn({
  onDone,
  link = openedInvitation,
}: {
  readonly onDone: () => void;
  readonly link?: Invitation;
}) {
  const [target, setTarget] = useState("");
  const [who, setWho] = useState<Who>();
  const [name, setName] = useState("");
  const [code, setCode] = useState("");
  const [sent, setSent] = useState<string>();
  const [isTried, setTried] = useState(false);
  const [signUp, setSignUp] = useState<GetSignUpModeResponseJson>({});
  const { act, isBusy, problem, setProblem } = useAct();
  useEffect(() => {
    call<GetSignUpModeResponseJson>("auth.v1.AuthService/GetSignUpMode", link).then(setSignUp, () => undefined); // sign-in itself reports an unreachable server
  }, [link]);
  const isOpen = signUp.isOpen === true;
  const isNew = isOpen && who === "new";
  // Without the invitation, a guest with an account can sign in after it was replaced.
  const entered = { target: target.trim(), ...(isNew && { name: name.trim(), ...link }) };
  const send = async () => {
    setTried(true);
    if (entered.target === "" || (isOpen && who === undefined) || entered.name === "") return;
    if (isNew && signUp.byLink) {
      if (await act(() => call("auth.v1.AuthService/JoinByLink", entered))) onDone();
      return;
    }
    await act(async () =>
      setSent((await call<SendLoginCodeResponseJson>("auth.v1.AuthService/SendLoginCode", entered)).message),
    );
    setTried(false);
  };
  const verify = async () => {
    setTried(true);
    if (code.trim() === "") return;
    if (await act(() => call("auth.v1.AuthService/VerifyLoginCode", { ...entered, code: code.trim() }))) onDone();
  };
  const submit = sent === undefined ? send : verify;
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-5 p-6 text-[15px]">
      <h1 className="text-2xl font-semibold">{isOpen ? text.newTitle : text.title}</h1>
      {isOpen && link.eventId !== "" && <p className="text-sm text-muted">{text.invited}</p>}
      {link.invitation !== "" && !isOpen && signUp.says && <p className="text-sm text-warn">{signUp.says}</p>}
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
            {isOpen && <WhoField value={who} isMissing={isTried && who === undefined} onChange={setWho} />}
            <Field
              label={text.target}
              type="text"
              inputMode="email"
              autoComplete="username"
              maxLength={254}
              value={target}
              problem={isTried && entered.target === "" ? text.targetRequired : undefined}
              onChange={(change) => setTarget(change.target.value)}
            />
            {isNew && (
              <Field
                label={text.name}
                autoComplete="name"
                maxLength={200}
                value={name}
                problem={isTried && entered.name === "" ? text.nameRequired : undefined}
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
          {sent !== undefined ? text.verify : isNew && signUp.byLink ? text.join : text.send}
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

/** Asks whether the guest has an account: without a name, a new guest would wait for a code that is never sent. */
function WhoField({
  value,
  isMissing,
  onChange,
}: {
  readonly value: Who;
  readonly isMissing: boolean;
  readonly onChange: (who: Who) => void;
}) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={isMissing ? id : undefined}>
      <legend className="sr-only">{text.who}</legend>
      {(["new", "known"] as const).map((each) => (
        <label key={each} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name="who"
            className="size-5 accent-(--accent)"
            checked={value === each}
            onChange={() => onChange(each)}
          />
          {text.whoOf[each]}
        </label>
      ))}
      {isMissing && (
        <p id={id} role="alert" className="text-sm text-danger">
          {text.whoRequired}
        </p>
      )}
    </fieldset>
  );
}
