import { z } from 'zod';
import { type OpenSearchUrl, parseOpenSearchUrl } from './opensearch-url.ts';
import { type Given, inProduction, insecureConnections, mustBeSecure, type Rule } from './rules.ts';
import { tlsMaterial, tlsProblems, tlsSettings } from './tls.ts';

export const openSearchSettings = {
  /** With https://, the connections have TLS. */
  OPENSEARCH_URL: z.string().superRefine((text, { addIssue }) => {
    const problems = parseOpenSearchUrl(text)?.problems ?? ['must be a URL that starts with http:// or https://'];
    // A variable has one message.
    if (problems.length > 0) addIssue({ code: 'custom', message: problems.join('; ') });
  }),
  /** Names of indexes are in lower case, and begin with a letter or a digit. */
  OPENSEARCH_INDEX_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, 'must be lower-case letters, digits, hyphens and underscores')
    .default('shopscope-'),
  /** An alternative to a user and a password in the URL. */
  OPENSEARCH_USERNAME: z.string().optional(),
  OPENSEARCH_PASSWORD: z.string().optional(),
  ...tlsSettings('OPENSEARCH'),
  ...insecureConnections,
};

/** Refuses incomplete TLS settings and incomplete credentials. In production, TLS and credentials or a client certificate are required. */
export const openSearchRules: Rule = (given) => {
  const address = parseOpenSearchUrl(given.OPENSEARCH_URL ?? '');
  const { OPENSEARCH_USERNAME: username, OPENSEARCH_PASSWORD: password } = given;
  const tls = address?.tls === true;
  const problems = tlsProblems(given, 'OPENSEARCH', tls, 'has no effect unless OPENSEARCH_URL starts with https');
  if (username && !password) problems.push('OPENSEARCH_PASSWORD: is required with OPENSEARCH_USERNAME');
  if (password && !username) problems.push('OPENSEARCH_USERNAME: is required with OPENSEARCH_PASSWORD');
  if ((username || password) && address?.username) {
    problems.push('OPENSEARCH_USERNAME: OPENSEARCH_URL has a user too; set user and password in one place');
  }
  if (!mustBeSecure(given, 'opensearch', address?.hosts ?? [''])) return problems;
  if (!tls) problems.push(`OPENSEARCH_URL: must start with https ${inProduction('opensearch')}`);
  if (!(address?.username || username || given.OPENSEARCH_TLS_CERT)) {
    problems.push(
      `OPENSEARCH_USERNAME: is required, or a user in OPENSEARCH_URL or a client certificate, ${inProduction('opensearch')}`,
    );
  }
  return problems;
};

export interface OpenSearchConfig {
  OPENSEARCH_URL: string;
  OPENSEARCH_INDEX_PREFIX: string;
  OPENSEARCH_USERNAME?: string | undefined;
  OPENSEARCH_PASSWORD?: string | undefined;
}

/** Returns the options of the client. */
export function openSearchOptions(config: OpenSearchConfig) {
  const address = parseOpenSearchUrl(config.OPENSEARCH_URL) as OpenSearchUrl;
  const username = config.OPENSEARCH_USERNAME ?? address.username;
  const password = config.OPENSEARCH_PASSWORD ?? address.password;
  return {
    nodes: address.hosts.map((host) => `${address.tls ? 'https' : 'http'}://${host}`),
    indexPrefix: config.OPENSEARCH_INDEX_PREFIX,
    ...(username && password && { credentials: { username, password } }),
    ...(address.tls && { tls: tlsMaterial(config as Given & OpenSearchConfig, 'OPENSEARCH') }),
  };
}
