import { Upload } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { useScreenCommands } from "../lib/screen-commands.ts";
import { Button } from "../ui/button.tsx";

/** A button that opens the file chooser for audio files. */
export function ChooseFiles({
  label,
  isOffered = false,
  onFiles,
}: {
  readonly label: string;
  /** Whether the command palette offers it as well. */
  readonly isOffered?: boolean;
  readonly onFiles: (files: Iterable<File>) => void;
}): ReactNode {
  const chooser = useRef<HTMLInputElement>(null);
  const choose = () => chooser.current?.click();
  useScreenCommands(isOffered ? [{ text: label, perform: choose }] : []);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        accept="audio/*,video/*,.mp3,.ogg,.opus,.flac,.m4a,.wav,.aac,.caf,.w64"
        aria-label={label}
        onChange={({ target }) => {
          onFiles(target.files ?? []);
          target.value = "";
        }}
      />
      <Button onClick={choose}>
        <Upload aria-hidden size={14} /> {label}
      </Button>
    </>
  );
}
