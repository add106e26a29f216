import type { ListTransactionsResponseJson, TransactionJson } from "@followspot/contract/accounting";
import type { ExportMyDataResponseJson, GetUserResponseJson, UserJson } from "@followspot/contract/user";
import { useEffect, useState } from "react";
import { serverPath } from "../lib/base-path.ts";
import { fileBase64 } from "../lib/base64.ts";
import { useStore } from "../lib/store.ts";
import { chooseTheme, theme, THEMES } from "../lib/theme.ts";
import { call } from "./call.ts";
import { GoldDialog } from "./gold-dialog.tsx";
import { guestStrings } from "./guest.strings.ts";
import type { Night } from "./night.ts";
import { Button, Empty, Field, Problem, Section, useAct } from "./parts.tsx";
import type { TabProps } from "./tabs.ts";
import { when } from "./times.ts";

const text = guestStrings.me;
const MOST_TRANSACTIONS = 30;
/** Timeout of a photo upload, ms; long enough for a slow network. */
const UPLOAD_MS = 180_000;

/** The guest's gold, name, photo and personal data. */
export function MeTab({ night }: TabProps) {
  const { night: mine } = useStore(night.view);
  const userId = mine?.userId ?? "";
  return (
    <>
      <Gold night={night} userId={userId} balance={Number(mine?.balance ?? 0)} />
      <Profile night={night} userId={userId} />
      <Colours />
      <Data night={night} name={mine?.userName ?? ""} />
    </>
  );
}

function Gold({
  night,
  userId,
  balance,
}: {
  readonly night: Night;
  readonly userId: string;
  readonly balance: number;
}) {
  const [isSending, setSending] = useState(false);
  const [rows, setRows] = useState<readonly TransactionJson[]>([]);
  const { act, problem } = useAct();
  useEffect(() => {
    void act(async () => {
      const list = { pageSize: MOST_TRANSACTIONS };
      const method = "accounting.v1.AccountingService/ListTransactions";
      setRows((await call<ListTransactionsResponseJson>(method, { list })).transactions ?? []);
    });
    // Loaded again when the balance changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [balance]);
  const other = (row: TransactionJson) =>
    row.toUserId === userId
      ? guestStrings.gold.from(row.fromName || guestStrings.gold.house)
      : guestStrings.gold.toward(row.toName || guestStrings.gold.house);
  return (
    <Section title={guestStrings.gold.title} note={guestStrings.event.gold(balance)}>
      <Button onClick={() => setSending(true)}>{guestStrings.gold.send}</Button>
      <Problem says={problem} />
      {rows.length === 0 && <Empty>{guestStrings.gold.none}</Empty>}
      <ul aria-label={guestStrings.gold.history} className="flex max-h-64 flex-col divide-y overflow-y-auto">
        {rows.map((row) => (
          <li key={row.id} className="flex items-center gap-3 py-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{row.reason || other(row)}</span>
              <span className="block text-sm text-muted">
                {row.reason ? `${other(row)} · ` : ""}
                {when(row.createdAt)}
              </span>
            </span>
            <span className="font-semibold">
              {row.toUserId === userId ? "+" : "−"}
              {row.amount}
            </span>
          </li>
        ))}
      </ul>
      {isSending && <GoldDialog night={night} onClose={() => setSending(false)} />}
    </Section>
  );
}

function Profile({ night, userId }: { readonly night: Night; readonly userId: string }) {
  const [user, setUser] = useState<UserJson>();
  const [isSaved, setSaved] = useState(false);
  const { act, isBusy, problem, setProblem } = useAct();
  useEffect(() => {
    void act(async () => setUser((await call<GetUserResponseJson>("user.v1.UserService/GetUser", { userId })).user));
    // Loaded once per user.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [userId]);
  if (!user) return <Problem says={problem} />;
  const change = (part: Partial<UserJson>) => {
    setSaved(false);
    setUser({ ...user, ...part });
  };
  const save = async () => {
    const { name = "", bio = "" } = user;
    if (name.trim() === "") return setProblem(text.nameRequired);
    const saved = await act(() => call("user.v1.UserService/UpdateUser", { userId, name: name.trim(), bio }));
    setSaved(saved);
    if (saved) await night.refresh();
  };
  const upload = (file: File | undefined) =>
    file &&
    act(async () => {
      const photo = { photoBase64: await fileBase64(file), photoFilename: file.name, photoMimeType: file.type };
      await call("user.v1.UserService/UploadPhoto", { userId, ...photo }, UPLOAD_MS);
      setUser((await call<GetUserResponseJson>("user.v1.UserService/GetUser", { userId })).user);
    });
  return (
    <Section title={text.title}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(submission) => {
          submission.preventDefault();
          void save();
        }}
      >
        <label className="flex items-center gap-4">
          {user.photoUrl ? (
            <img src={serverPath(`${user.photoUrl}?size=small`)} alt="" className="size-16 rounded-full object-cover" />
          ) : (
            <span aria-hidden className="grid size-16 place-items-center rounded-full bg-raised text-2xl text-muted">
              {user.name?.slice(0, 1)}
            </span>
          )}
          <span className="guest-button cursor-pointer focus-within:outline-2">
            {text.photo}
            <input
              type="file"
              accept="image/png,image/jpeg,image/webp,image/gif"
              className="sr-only"
              onChange={({ target }) => void upload(target.files?.[0])}
            />
          </span>
        </label>
        <Field
          label={text.name}
          maxLength={200}
          autoComplete="name"
          value={user.name ?? ""}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Field
          label={text.bio}
          maxLength={500}
          value={user.bio ?? ""}
          onChange={({ target }) => change({ bio: target.value })}
        />
        <Problem says={problem} />
        <Button type="submit" look="primary" disabled={isBusy}>
          {isSaved ? text.saved : text.save}
        </Button>
      </form>
    </Section>
  );
}

function Colours() {
  const chosen = useStore(theme);
  return (
    <Section title={text.theme}>
      <div role="radiogroup" aria-label={text.theme} className="grid grid-cols-3 gap-2">
        {THEMES.map((each) => (
          <button
            key={each}
            type="button"
            role="radio"
            aria-checked={each === chosen}
            className="guest-button aria-checked:border-accent aria-checked:text-accent"
            onClick={() => chooseTheme(each)}
          >
            {text.themes[each]}
          </button>
        ))}
      </div>
    </Section>
  );
}

function Data({ night, name }: { readonly night: Night; readonly name: string }) {
  const [typed, setTyped] = useState("");
  const { act, isBusy, problem } = useAct();
  const download = () =>
    act(async () => {
      const { json = "{}" } = await call<ExportMyDataResponseJson>("user.v1.UserService/ExportMyData");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([json], { type: "application/json" }));
      link.download = "followspot-my-data.json";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    });
  const leave = async (method: string, body: object = {}) => {
    if (await act(() => call(method, body))) night.forget();
  };
  return (
    <Section title={text.data}>
      <p className="text-sm text-muted">{text.downloadHint}</p>
      <Button disabled={isBusy} onClick={() => void download()}>
        {text.download}
      </Button>
      <Button disabled={isBusy} onClick={() => void leave("auth.v1.AuthService/SignOut")}>
        {text.signOut}
      </Button>
      <Problem says={problem} />
      <details className="guest-card">
        <summary className="min-h-6 text-danger">{text.remove}</summary>
        <div className="flex flex-col gap-3 pt-3">
          <Field
            label={text.removeName}
            hint={text.removeHint(name)}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button
            look="danger"
            disabled={isBusy || typed.trim() !== name.trim()}
            onClick={() => void leave("user.v1.UserService/DeleteMyAccount", { confirmName: typed.trim() })}
          >
            {text.removeGo}
          </Button>
        </div>
      </details>
    </Section>
  );
}
