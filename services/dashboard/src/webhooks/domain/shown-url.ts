import { cut } from '@shopscope/text';

/** A phone shows it in one line. */
const maxLength = 38;

/** A URL without its query, which may have a secret. */
export function withoutQuery(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}

/** The name of an endpoint in lists and sentences. */
export function shownUrl(text: string): string {
  const whole = withoutQuery(text);
  const kept = cut(whole, maxLength);
  return kept === whole ? whole : `${kept}…`;
}
