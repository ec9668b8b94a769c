import { list } from './values.ts';

/** The variables of a service as texts, including those from files. */
export type Given = Readonly<Record<string, string | undefined>>;

/**
 * Checks conditions between settings. Returns problems, each beginning with the name of a variable and without values.
 */
export type Rule = (given: Given) => string[];

const connections = ['mongodb', 'kafka', 'redis', 'grpc'] as const;
export type ConnectionName = (typeof connections)[number];

/**
 * INSECURE_CONNECTIONS lists the connections that may have no TLS or credentials in production, because something else
 * protects them (a service mesh, a private link).
 */
export const insecureConnections = {
  INSECURE_CONNECTIONS: list()
    .refine((names) => names.every(isConnection), `must be a list out of ${connections.join(', ')}`)
    .default([]),
};

const isConnection = (name: string) => connections.some((each) => each === name);

/** Production is the default of SHOPSCOPE_ENV. */
export const isProduction = ({ SHOPSCOPE_ENV }: Given): boolean => (SHOPSCOPE_ENV || 'production') === 'production';

/** True in production for a connection to another machine that INSECURE_CONNECTIONS does not list. */
export function mustBeSecure(given: Given, connection: ConnectionName, hosts: readonly string[]): boolean {
  const isExempt = (given.INSECURE_CONNECTIONS ?? '').split(',').some((name) => name.trim() === connection);
  return isProduction(given) && !isExempt && !hosts.every(isLoopback);
}

export const inProduction = (connection: ConnectionName) =>
  `in production, unless INSECURE_CONNECTIONS names ${connection}`;

/** Loopback connections need no TLS. */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host);
}
