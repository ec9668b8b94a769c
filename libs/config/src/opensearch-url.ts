import { addressOf, decodedCredentials } from './url-parts.ts';

/** The nodes that a URL of OpenSearch names, and what is wrong with it. */
export interface OpenSearchUrl {
  tls: boolean;
  /** In the form host or host:port. Without a port it is that of the scheme: 80 or 443. */
  hosts: string[];
  username: string;
  password: string;
  problems: string[];
}

/** Parses http://host:port,host:port. A WHATWG URL does not support several hosts. All problems are reported together. */
export function parseOpenSearchUrl(text: string): OpenSearchUrl | undefined {
  const [, scheme, credentials, hosts = '', rest = ''] =
    /^(https?):\/\/(?:([^@/?#]*)@)?([^/?#]*)(.*)$/i.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const problems: string[] = [];
  if (!['', '/'].includes(rest)) problems.push('must not have a path or parameters');
  const list = hosts.split(',');
  if (!list.every((entry) => addressOf(entry, 80)))
    problems.push('must have hosts in the form host or host:port, separated by commas');
  const [username, password] = decodedCredentials(credentials ?? '');
  if (username === undefined) problems.push('must have its user and password in percent-encoding');
  else if ((username === '') !== (password === '')) problems.push('must have a user and a password, or none');
  return {
    tls: scheme.toLowerCase() === 'https',
    hosts: list,
    username: username ?? '',
    password: password ?? '',
    problems,
  };
}
