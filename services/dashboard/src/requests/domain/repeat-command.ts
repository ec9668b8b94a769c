import type { CompletedRequest } from '@shopscope/proto';

/**
 * A curl command that repeats a request of the API.
 *
 * - Bodies are not stored. The body of an enrich request therefore has placeholders, at most {@link maxPlaceholders}.
 * - Keys are not stored. The command reads SHOPSCOPE_API_KEY.
 * - The caller chose path and query. Every character that a shell or curl could interpret is percent-encoded.
 * - curl would resolve dot segments of the path. An option makes it send the path as it is.
 * - The stored path was shortened -> undefined.
 */
export type RepeatableRequest = Pick<
  CompletedRequest,
  'method' | 'path' | 'query' | 'operation' | 'domains' | 'hasIdempotencyKey'
>;

const maxPlaceholders = 3;
const dotSegment = /\/\.{1,2}(?:\/|$)/;
const unsafe = /[^\w.~/%=&+,:@-]/gu;

export function repeatCommand(apiUrl: string, request: RepeatableRequest): string | undefined {
  const { method, path, query } = request;
  if (`${path}${query}`.includes('…') || !/^[A-Z]{3,20}$/.test(method)) return undefined;
  const url = encoded(path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase()));
  const target = `'${apiUrl}${url}${query === '' ? '' : `?${encoded(query)}`}'`;
  const pathOptions = dotSegment.test(url) ? ['--path-as-is'] : [];
  return ['curl', ...pathOptions, ...methodOptions(method), target, ...headersAndBody(request)].join(' ');
}

/** encodeURIComponent does not encode quotes and brackets, so the bytes are encoded here. */
const encoded = (text: string) =>
  text.replaceAll(unsafe, (char) =>
    [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

function methodOptions(method: string): string[] {
  if (method === 'GET') return [];
  return method === 'HEAD' ? ['--head'] : ['-X', method];
}

function headersAndBody({ operation, domains, hasIdempotencyKey }: RepeatableRequest): string[] {
  const options = ['-H "Authorization: Bearer $SHOPSCOPE_API_KEY"'];
  if (hasIdempotencyKey) options.push("-H 'Idempotency-Key: YOUR_IDEMPOTENCY_KEY'");
  if (operation === 'enrichStores') {
    const count = Math.min(maxPlaceholders, Math.max(1, domains));
    const names = Array.from({ length: count }, (_, index) => `DOMAIN_${index + 1}`);
    options.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify({ domains: names })}'`);
  }
  return options;
}
