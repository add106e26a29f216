/** Known to every engine we run on; the library of a pure package names neither Node nor a browser. */
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean });
  decode(bytes: Uint8Array): string;
}
