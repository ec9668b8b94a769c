/**
 * The environments of a workspace. Each key belongs to one of them. Everything that the key creates belongs to the same
 * one.
 *
 * - A part that handles data of one environment (a collection, a topic, an operation) has the type parameter `E`. The
 *   compiler refuses the tenant or the part of another environment, and a tenant whose environment is not known.
 * - `inEnvironment` is the only way from a tenant of any environment to one of a known environment.
 */
export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

/** A workspace in one environment: the owner of lists, events and jobs. */
export interface Tenant<out E extends Environment> {
  readonly workspaceId: string;
  readonly environment: E;
}

/** A tenant whose environment is known only at run time. */
export type AnyTenant = { [E in Environment]: Tenant<E> }[Environment];

/**
 * The mark of a part that handles data of one environment only. It makes the part invariant: a part of one environment is not accepted
 * where the part of another environment, or of any environment, is expected.
 */
declare const handles: unique symbol;
export interface Handles<E extends Environment> {
  readonly [handles]?: (environment: E) => E;
  readonly environment: E;
}

export const isEnvironment = (text: string): text is Environment => environments.some((name) => name === text);

/** Reads an environment from metadata, a header or a message. '' stands for none: null. Returns undefined for an unknown text. */
export function parseEnvironment(text: string): Environment | null | undefined {
  if (text === '') return null;
  return isEnvironment(text) ? text : undefined;
}

/**
 * Calls `work` with the tenant and the part of its environment.
 *
 * @param parts the part of each environment, declared as a mapped type (`{ [E in Environment]: Dependencies<E> }`), so that `work` gets
 *   `Dependencies<E>`
 */
export function inEnvironment<Parts extends { [E in Environment]: Handles<E> }, Result>(
  parts: Parts,
  tenant: AnyTenant,
  work: <E extends Environment>(part: Parts[E], tenant: Tenant<E>) => Result,
): Result {
  return tenant.environment === 'live' ? work<'live'>(parts.live, tenant) : work<'test'>(parts.test, tenant);
}

/**
 * Returns the name of a collection or topic of one environment. Live data has the plain name; the name of test data begins with `test`.
 * The separator is `_` for collections and `-` for topics.
 */
export const nameIn = (environment: Environment, name: string, separator: '_' | '-'): string =>
  environment === 'live' ? name : `test${separator}${name}`;

/** Returns the collections of every environment, by their full names. */
export const inEveryEnvironment = <Definition>(collections: Readonly<Record<string, Definition>>) =>
  Object.fromEntries(
    environments.flatMap((environment) =>
      Object.entries(collections).map(([name, definition]) => [nameIn(environment, name, '_'), definition] as const),
    ),
  );
