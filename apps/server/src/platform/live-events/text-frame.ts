/**
 * Encodes a text as a WebSocket frame of a server (RFC 6455, 5.2): unfragmented, unmasked, uncompressed. It can be
 * written to any number of connections, whereas `ws` would encode it for each one.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const from = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafeSlow(from + length);
  frame[0] = 0x81; // final frame of a text message
  if (from === 2) frame[1] = length;
  else if (from === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, from);
  return frame;
}
