import { list } from './values.ts';

/** The variables of a service as texts, those from files included. */
export type Given = Readonly<Record<string, string | undefined>>;

/** What has to hold between settings: the faults it finds, each beginning with a variable's name and telling no value. */
export type Rule = (given: Given) => string[];

const connections = ['mongodb', 'kafka', 'redis'] as const;
export type Connection = (typeof connections)[number];

/**
 * INSECURE_CONNECTIONS names the connections that production may make without TLS or credentials, because something
 * else protects them (a mesh, a private link). Without it such a configuration is refused.
 */
export const insecureConnections = {
  INSECURE_CONNECTIONS: list()
    .refine((names) => names.every(isConnection), `must be a list out of ${connections.join(', ')}`)
    .default([]),
};

const isConnection = (name: string) => connections.some((each) => each === name);

/** True where this connection has to be encrypted and authenticated: in production, to another machine, unless excused. */
export function mustBeSecure(given: Given, connection: Connection, hosts: readonly string[]): boolean {
  const excused = (given.INSECURE_CONNECTIONS ?? '').split(',').some((name) => name.trim() === connection);
  return (given.SHOPSCOPE_ENV ?? 'production') === 'production' && !excused && !hosts.every(isLoopback);
}

/** The rest of a fault's sentence, after what is missing. */
export const inProduction = (connection: Connection) =>
  `in production, unless INSECURE_CONNECTIONS names ${connection}`;

/** What never leaves the machine needs no protection on its way. */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host);
}
