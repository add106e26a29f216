/** Share of a text's letters from which accented ones cannot be a Latin script: words have plain letters, too. */
const CYRILLIC_SHARE = 0.7;
const LEAST_LETTERS = 3;
const cyrillic = new TextDecoder("windows-1251");

/** Corrects Cyrillic text of old tags, which have no encoding and were read as Latin-1: "Ïåñíÿ" becomes "Песня". */
export function tagText(text: string): string {
  const letters = [...text.matchAll(/\p{L}/gu)].length;
  const accented = [...text.matchAll(/[À-ÿ¨¸]/g)].length;
  const isLatin1 = [...text].every((character) => character <= "\u00FF");
  if (!isLatin1 || accented < LEAST_LETTERS || accented < CYRILLIC_SHARE * letters) return text;
  return cyrillic.decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}
