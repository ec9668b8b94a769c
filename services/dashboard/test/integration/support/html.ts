/** The text of a page as people read it: without scripts, comments and tags, with single spaces. Entities stay. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** The text of a response with a page. */
export const read = async (response: Response): Promise<string> => textOf(await response.text());

/** The token in the form of a page. */
export const tokenIn = (html: string): string => /name="token" value="([^"]+)"/.exec(html)?.[1] as string;

/** The hidden fields of a page, in order. */
export const hiddenIn = (html: string): [string, string][] =>
  [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
