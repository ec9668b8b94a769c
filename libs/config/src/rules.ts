import { list } from './values.ts';

/** The variables of a service as texts. They include variables from files. */
export type Given = Readonly<Record<string, string | undefined>>;

/** Checks conditions between settings and returns the problems. Each begins with the name of a variable and contains no values. */
export type Rule = (given: Given) => string[];

const connections = ['mongodb', 'kafka', 'redis', 'opensearch', 'grpc'] as const;
export type ConnectionName = (typeof connections)[number];

/**
 * INSECURE_CONNECTIONS lists the connections that need no TLS or credentials in production, because something else protects them (a service
 * mesh, a private link).
 */
export const insecureConnections = {
  INSECURE_CONNECTIONS: list()
    .refine((names) => names.every(isConnection), `must be a list out of ${connections.join(', ')}`)
    .default([]),
};

const isConnection = (name: string) => connections.some((each) => each === name);

/** Whether SHOPSCOPE_ENV is production, which is its default. */
export const isProduction = ({ SHOPSCOPE_ENV }: Given): boolean => (SHOPSCOPE_ENV || 'production') === 'production';

/** Whether this is production and the connection leads to another machine and INSECURE_CONNECTIONS does not list it. */
export function mustBeSecure(given: Given, connection: ConnectionName, hosts: readonly string[]): boolean {
  const isExempt = (given.INSECURE_CONNECTIONS ?? '').split(',').some((name) => name.trim() === connection);
  return !isExempt && isRemoteProduction(given, hosts);
}

/** Whether this is production and a host is another machine. */
export const isRemoteProduction = (given: Given, hosts: readonly string[]): boolean =>
  isProduction(given) && !hosts.every(isLoopback);

export const inProduction = (connection: ConnectionName) =>
  `in production, unless INSECURE_CONNECTIONS names ${connection}`;

/** Whether a host is loopback. Loopback connections need no TLS. */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$|^::1$/.test(host);
}
