import type { Token } from 'marked';

/** The text of inline tokens, without markup. */
export const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? decoded(token.text) : '',
    )
    .join('');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Decodes the characters that Markdown may write as entities. */
export const decoded = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (written, name: string) => entities[name] ?? written);
