const BLOCK = 512;

/**
 * Files as one archive, which `tar` unpacks (POSIX ustar). The same files give the same bytes.
 * @param files by their path in the archive, at most 100 bytes of ASCII
 */
export function tarOf(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const blocks = [...files].flatMap(([path, bytes]) => [
    headOf(path, bytes.byteLength),
    bytes,
    Buffer.alloc(-bytes.byteLength & (BLOCK - 1)),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function headOf(path: string, size: number): Buffer {
  if (path.length > 100) throw new RangeError(`path ${path} is longer than 100 bytes`);
  const head = Buffer.alloc(BLOCK);
  const write = (text: string, at: number) => void head.write(text, at, "latin1");
  write(path, 0);
  write("0000644\0", 100);
  write("0000000\0", 108); // owner
  write("0000000\0", 116); // group
  write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  write("00000000000\0", 136); // time
  write(" ".repeat(8), 148); // its own checksum counts as spaces
  write("0", 156); // a plain file
  write("ustar\u000000", 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return head;
}
