/** The text without its percent escapes; unchanged when one of them is invalid. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
