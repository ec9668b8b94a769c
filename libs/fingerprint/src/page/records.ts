import type { PageInput } from '../types.ts';

/**
 * The records of the store's domain and the names of its certificate. The key is that of the patterns that search them: a kind of DNS
 * record, `name` or `issuer`.
 *
 * - An SPF record becomes one value per mechanism: `spf include:sendgrid.net`.
 * - Bounds: the number of values of one kind and the length of a value. The rest is ignored.
 */
export type PageRecords = ReadonlyMap<string, readonly string[]>;

const maxValues = 100;
const maxValueChars = 300;
const maxTextChars = 2000;

const spf = /^v=spf1 /i;

/** Splits a TXT record into values, so that patterns search short texts. */
const textsOf = (text: string): string[] =>
  spf.test(text)
    ? text
        .slice(0, maxTextChars)
        .toLowerCase()
        .split(/\s+/)
        .slice(1)
        .map((mechanism) => `spf ${mechanism.replace(/^[+?~-]/, '')}`)
    : [text];

export function readRecords({ dns = {}, certificate }: Pick<PageInput, 'dns' | 'certificate'>): PageRecords {
  const kinds: Record<string, readonly string[]> = {
    ...dns,
    ...(dns.txt && { txt: dns.txt.slice(0, maxValues).flatMap(textsOf) }),
    ...(certificate && { name: certificate.names, issuer: [certificate.issuer] }),
  };
  return new Map(
    Object.entries(kinds).map(([kind, values]) => [
      kind,
      values.slice(0, maxValues).map((value) => value.slice(0, maxValueChars)),
    ]),
  );
}
