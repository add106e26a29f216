import { Camera, ImageUp } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { plainErrorText } from "../../lib/errors.ts";
import { Button } from "../../ui/button.tsx";
import { checkInStrings as text } from "./check-in.strings.ts";
import { openCodeReader, preloadCodeReader } from "./code-reader.ts";

const LOOK_MS = 150;
/** Time during which a code that stays in front of the camera counts as one scan, ms. */
const SAME_MS = 4000;

/** Returns whether a camera is available: browsers allow it only on https pages and on localhost. */
const hasCamera = () => "mediaDevices" in navigator;

/** Scans codes with the camera while open; without camera access, from a photo. */
export function CameraScan({ onScan }: { readonly onScan: (code: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(preloadCodeReader, []);
  if (!hasCamera()) return <PhotoScan onScan={onScan} />;
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
    const view = video.current;
    if (!view) return undefined;
    let stream: MediaStream | undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    let last = { code: "", at: -SAME_MS };
    const open = async () => {
      const reader = await openCodeReader();
      const look = async () => {
        const code = await reader.read(view);
        if (isOver) return;
        if (code !== undefined) {
          const now = performance.now();
          if (code !== last.code || now - last.at > SAME_MS) onCode(code);
          last = { code, at: now };
        }
        timer = setTimeout(() => void look(), LOOK_MS);
      };
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (isOver) return stopAll(stream);
      view.srcObject = stream;
      await view.play();
      await look();
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
      <>
        <p role="alert" className="text-danger">
          {text.cameraFailed(failure)}
        </p>
        <PhotoScan onScan={onScan} />
      </>
    );
  return (
    <video ref={video} muted playsInline aria-label={text.cameraView} className="max-h-72 w-full rounded-md bg-black" />
  );
}

/** Reads the code in a photo. On a phone the button opens the camera app. */
function PhotoScan({ onScan }: { readonly onScan: (code: string) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<string>();
  const read = async (file: File) => {
    setFailure(undefined);
    try {
      const [reader, picture] = await Promise.all([openCodeReader(), createImageBitmap(file)]);
      const code = await reader.read(picture);
      picture.close();
      if (code === undefined) setFailure(text.noCode);
      else onScan(code);
    } catch (error) {
      setFailure(text.photoFailed(plainErrorText(error)));
    }
  };
  return (
    <>
      <input
        ref={chooser}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        aria-label={text.photo}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file) void read(file);
        }}
      />
      <Button className="self-start" onClick={() => chooser.current?.click()}>
        <ImageUp aria-hidden size={14} /> {text.photo}
      </Button>
      {!hasCamera() && <p className="text-xs text-muted">{text.photoHint}</p>}
      {failure !== undefined && (
        <p role="alert" className="text-danger">
          {failure}
        </p>
      )}
    </>
  );
}

function stopAll(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
