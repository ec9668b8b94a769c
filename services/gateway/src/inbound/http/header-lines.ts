import type { IncomingMessage } from 'node:http';

/** How often a header was sent; `headers` shows the first only of those that may not repeat. `name` in lower case. */
export function countHeaderLines({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}
