/** Decodes percent escapes. Returns the text unchanged if one of them is invalid. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
