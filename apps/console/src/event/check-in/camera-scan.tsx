import { Camera } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { plainErrorText } from "../../lib/errors.ts";
import { Button } from "../../ui/button.tsx";
import { checkInStrings as text } from "./check-in.strings.ts";

/** The part of the browser's own code reader that is used here; not every browser has it. */
interface CodeReader {
  readonly detect: (video: HTMLVideoElement) => Promise<readonly { readonly rawValue: string }[]>;
}
type CodeReaderClass = new (options: { readonly formats: readonly string[] }) => CodeReader;

const LOOK_MS = 200;
/** A code that stays before the camera is one scan. */
const SAME_MS = 4000;

const readerClass = (): CodeReaderClass | undefined =>
  (globalThis as { readonly BarcodeDetector?: CodeReaderClass }).BarcodeDetector;
/** Pages that were not opened safely have no camera. */
const hasCamera = () => readerClass() !== undefined && "mediaDevices" in navigator;

/** Scans by camera where the browser reads codes itself; nothing elsewhere. */
export function CameraScan({ onScan }: { readonly onScan: (code: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  if (!hasCamera()) return null;
  return (
    <>
      <Button className="self-start" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Camera aria-hidden size={14} /> {isOpen ? text.closeCamera : text.openCamera}
      </Button>
      {isOpen && <CameraView onScan={onScan} />}
    </>
  );
}

function CameraView({ onScan }: { readonly onScan: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [failure, setFailure] = useState<string>();
  const onCode = useEffectEvent(onScan);
  useEffect(() => {
    const Reader = readerClass();
    const view = video.current;
    if (!Reader || !view) return undefined;
    let stream: MediaStream | undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    let last = { code: "", at: -SAME_MS };
    const look = async (reader: CodeReader) => {
      // A picture that cannot be read is followed by the next.
      const codes = await reader.detect(view).catch(() => []);
      if (isOver) return;
      for (const { rawValue } of codes) {
        const now = performance.now();
        if (rawValue !== last.code || now - last.at > SAME_MS) onCode(rawValue);
        last = { code: rawValue, at: now };
      }
      timer = setTimeout(() => void look(reader), LOOK_MS);
    };
    const open = async () => {
      const reader = new Reader({ formats: ["qr_code"] });
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (isOver) return stopAll(stream);
      view.srcObject = stream;
      await view.play();
      await look(reader);
    };
    open().catch((error: unknown) => !isOver && setFailure(plainErrorText(error)));
    return () => {
      isOver = true;
      clearTimeout(timer);
      if (stream) stopAll(stream);
    };
  }, []);
  if (failure !== undefined)
    return (
      <p role="alert" className="text-danger">
        {text.cameraFailed(failure)}
      </p>
    );
  return (
    <video ref={video} muted playsInline aria-label={text.cameraView} className="max-h-72 w-full rounded-md bg-black" />
  );
}

function stopAll(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
