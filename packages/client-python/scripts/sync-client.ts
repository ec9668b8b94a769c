/** What the synchronous client has in place of a text of the asynchronous one. */
const rows: readonly (readonly [string, string])[] = [
  ['AsyncGenerator, AsyncIterable, Callable, Iterable', 'Callable, Generator, Iterable'],
  ['AsyncGenerator[EnrichedDomain, None]', 'Generator[EnrichedDomain, None, None]'],
  ['Iterable[str] | AsyncIterable[str]', 'Iterable[str]'],
  ['_async_driver', '_sync_driver'],
  ['AsyncApiKey', 'SyncApiKey'],
  ['AsyncDriver', 'SyncDriver'],
  ['A client belongs to one event loop of asyncio.', 'Threads may share a client.'],
  [' The function may be async.', ''],
  [
    'requests under way are cancelled. After `break`, `aclose()` does it at\n          once.\n',
    `no further request is sent, and responses under way are dropped.
        - \`domains\` is read in the thread of the consumer.
`,
  ],
  ['an `async with` block', 'a `with` block'],
  ['aclose', 'close'],
  ['__aenter__', '__enter__'],
  ['__aexit__', '__exit__'],
];

const header = '# Generated from _async_client.py: npm run generate --workspace @shopscope/client-python\n';

/** The source of the synchronous client, which has the methods of the asynchronous one. Throws when a row has no place. */
export function syncClientOf(source: string): string {
  let text = source;
  for (const [from, to] of rows) {
    if (!text.includes(from)) throw new Error(`the asynchronous client has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return header + text.replaceAll(/\basync (?=def|with)|\bawait /g, '').replaceAll(/\bAsync(?=Client|Paged)/g, '');
}
