import { addressOf, decodedCredentials } from './url-parts.ts';

/** The servers that a URL of Redis names, and what is wrong with it. */
export interface RedisUrl {
  form: 'server' | 'sentinel' | 'cluster';
  tls: boolean;
  hosts: { host: string; port: number }[];
  /** The name under which the Sentinels know the primary. */
  primaryName: string;
  username: string;
  password: string;
  problems: string[];
}

export const redisSchemes = [
  'redis:',
  'rediss:',
  'redis+sentinel:',
  'rediss+sentinel:',
  'redis+cluster:',
  'rediss+cluster:',
];

const defaultPorts = { server: 6_379, sentinel: 26_379, cluster: 6_379 };

/**
 * Parses redis://host, redis+sentinel://host,host/NAME and redis+cluster://host,host. With rediss, every connection has TLS, also those to
 * Sentinels. User and password are those of the servers. A WHATWG URL does not support several hosts. All problems are reported together.
 */
export function parseRedisUrl(text: string): RedisUrl | undefined {
  const [, scheme = '', plus, credentials, hosts = '', rest = ''] =
    /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(.*)$/i.exec(text) ?? [];
  if (scheme === '') return undefined;
  const form = (plus?.toLowerCase() ?? 'server') as RedisUrl['form'];
  const problems: string[] = [];
  const [, path = '', parameters = ''] = /^\/?([^?#]*)(.*)$/s.exec(rest) ?? [];
  // The client would use the parameters as options, and prefer them to the other settings.
  if (parameters !== '') problems.push('must not have parameters');
  if (form === 'sentinel' && !/^[\w.-]+$/.test(path)) {
    problems.push('must end with the name of the primary, as in redis+sentinel://host,host/NAME');
  }
  if (form === 'cluster' && path) problems.push('must not have a path: a cluster has one database');
  if (form === 'server' && !/^\d{0,5}$/.test(path)) {
    problems.push('must end with the host or with the number of a database, as in redis://host/1');
  }
  const addresses = hosts.split(',').map((entry) => addressOf(entry, defaultPorts[form]));
  if (form === 'server' && addresses.length > 1) {
    problems.push('must name one host, because only redis+sentinel:// and redis+cluster:// name several');
  }
  if (addresses.includes(undefined))
    problems.push('must have hosts in the form host or host:port, separated by commas');
  const [username, password] = decodedCredentials(credentials ?? '');
  if (password === undefined) problems.push('must have its user and password in percent-encoding');
  else if (username && !password) problems.push('names a user without a password');
  return {
    form,
    tls: scheme.toLowerCase() === 'rediss',
    hosts: addresses.filter((address) => address !== undefined),
    primaryName: path,
    username: username ?? '',
    password: password ?? '',
    problems,
  };
}
