import { useCallback, useState } from "react";
import { serverPath } from "../lib/base-path.ts";
import { Button } from "./button.tsx";
import { dialogStrings as text } from "./dialog.strings.ts";
import { FileField } from "./fields.tsx";

/** Picture field of a form: shows the current or the chosen picture, with a button to remove it. */
export function ImageField({
  label,
  url,
  file,
  onChange,
  onRemove,
}: {
  readonly label: string;
  /** URL of the current picture; empty if there is none. */
  readonly url: string;
  /** Chosen file that is not uploaded yet. */
  readonly file: File | undefined;
  readonly onChange: (file: File | undefined) => void;
  readonly onRemove: () => void;
}) {
  // A file input cannot be cleared, so a new one replaces it.
  const [round, setRound] = useState(0);
  return (
    <div className="flex flex-col gap-2">
      <FileField key={round} label={label} accept="image/*" onChange={({ target }) => onChange(target.files?.[0])} />
      {(file || url) && (
        <div className="flex items-center gap-3">
          {file ? <FilePicture file={file} /> : <img src={serverPath(url)} alt={text.image} className={PICTURE} />}
          <Button
            onClick={() => {
              setRound(round + 1);
              onRemove();
            }}
          >
            {text.removeImage}
          </Button>
        </div>
      )}
    </div>
  );
}

const PICTURE = "h-18 w-24 rounded-md border object-cover";

function FilePicture({ file }: { readonly file: File }) {
  const fill = useCallback(
    (picture: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      picture.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return <img ref={fill} alt={text.image} className={PICTURE} />;
}
