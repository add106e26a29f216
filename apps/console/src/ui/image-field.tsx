import { useCallback, useState } from "react";
import { Button } from "./button.tsx";
import { dialogStrings as text } from "./dialog.strings.ts";
import { FileField } from "./fields.tsx";

/** A picture of a form: what there is, or what was chosen in its place, and a button that takes it away. */
export function ImageField({
  label,
  url,
  file,
  onChange,
  onRemove,
}: {
  readonly label: string;
  /** Of the picture there is; empty without one. */
  readonly url: string;
  /** Chosen, and not sent yet. */
  readonly file: File | undefined;
  readonly onChange: (file: File | undefined) => void;
  readonly onRemove: () => void;
}) {
  // A field of files cannot be emptied: another one takes its place.
  const [round, setRound] = useState(0);
  return (
    <div className="flex flex-col gap-2">
      <FileField key={round} label={label} accept="image/*" onChange={({ target }) => onChange(target.files?.[0])} />
      {(file || url) && (
        <div className="flex items-center gap-3">
          {file ? <FilePicture file={file} /> : <img src={url} alt={text.image} className={PICTURE} />}
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
