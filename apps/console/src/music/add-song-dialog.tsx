import { useState } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogBody } from "../ui/dialog.tsx";
import { TextField } from "../ui/fields.tsx";
import { showToast } from "../ui/toast.tsx";
import { useAddSong } from "./music.queries.ts";
import { musicStrings } from "./music.strings.ts";
import { videoUrlError } from "./video-url.ts";

const text = musicStrings.add;

export function AddSongDialog({ onClose }: { readonly onClose: () => void }) {
  const [url, setUrl] = useState("");
  const [refused, setRefused] = useState<string>();
  const add = useAddSong();
  const submit = () => {
    const wrong = videoUrlError(url);
    setRefused(wrong);
    if (wrong) return;
    add.mutate(
      { url: url.trim() },
      {
        onSuccess: ({ song, status }) => {
          const title = song?.title || musicStrings.untitled;
          showToast(status === "existing" ? text.existing(title) : text.added(title));
          onClose();
        },
        onError: (error) => setRefused(plainErrorText(error) || text.failed),
      },
    );
  };
  return (
    <Dialog open dirty={url !== ""} title={text.title} onClose={onClose}>
      <form
        noValidate
        className="contents"
        onSubmit={(submission) => {
          submission.preventDefault();
          submit();
        }}
      >
        <DialogBody>
          <TextField
            autoFocus
            type="url"
            label={text.url}
            placeholder={text.placeholder}
            error={refused}
            value={url}
            maxLength={2000}
            onChange={(change) => setUrl(change.target.value)}
          />
        </DialogBody>
        <DialogActions>
          <Button large onClick={onClose}>
            {strings.cancel}
          </Button>
          <Button large type="submit" variant="primary" pending={add.isPending}>
            {add.isPending ? text.submitting : text.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
