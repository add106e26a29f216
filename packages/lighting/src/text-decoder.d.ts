/** Available in every engine that we run on. The type library of a pure package includes neither Node nor a browser. */
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean });
  decode(bytes: Uint8Array): string;
}
