import { z } from 'zod';
import { type Given, inProduction, insecureConnections, mustBeSecure, type Rule } from './rules.ts';
import { type TlsMaterial, tlsMaterial, tlsProblems, tlsSettings } from './tls.ts';
import { integer, url } from './values.ts';

export const mongoSettings = (database: string) => ({
  MONGODB_URL: url(['mongodb:', 'mongodb+srv:']),
  MONGODB_DATABASE: z.string().min(1).max(60).default(database),
  MONGODB_POOL_SIZE: integer({ min: 1, max: 1_000 }).default(20),
  /** An alternative to a user and a password in the URL. */
  MONGODB_USERNAME: z.string().optional(),
  MONGODB_PASSWORD: z.string().optional(),
  ...tlsSettings('MONGODB'),
  ...insecureConnections,
});

/** Refuses incomplete TLS settings and incomplete credentials. Production requires both. */
export const mongoRules: Rule = (given) => {
  const { hosts, user, password, tls, verified, mechanism } = partsOf(given.MONGODB_URL ?? '');
  const { MONGODB_USERNAME: username, MONGODB_PASSWORD: secret } = given;
  const problems = tlsProblems(given, 'MONGODB', tls, 'has no effect unless MONGODB_URL has tls=true');
  const byCertificate = mechanism === 'MONGODB-X509';
  if (username && !secret) problems.push('MONGODB_PASSWORD: is required with MONGODB_USERNAME');
  if (secret && !username) problems.push('MONGODB_USERNAME: is required with MONGODB_PASSWORD');
  if ((username || secret) && (user || password)) {
    problems.push('MONGODB_USERNAME: MONGODB_URL has a user too; set user and password in one place');
  }
  if (user && !password && !byCertificate) problems.push('MONGODB_URL: names a user without a password');
  if (!mustBeSecure(given, 'mongodb', hosts)) return problems;
  if (!tls) problems.push(`MONGODB_URL: must have tls=true ${inProduction('mongodb')}`);
  if (!verified)
    problems.push(`MONGODB_URL: must not disable the verification of certificates ${inProduction('mongodb')}`);
  if (!(user || username || byCertificate)) {
    problems.push(`MONGODB_USERNAME: is required, or a user in MONGODB_URL, ${inProduction('mongodb')}`);
  }
  return problems;
};

const unverified = ['tlsInsecure', 'tlsAllowInvalidCertificates', 'tlsAllowInvalidHostnames'];

/** Returns the parts of a connection string. It may have several hosts, which a WHATWG URL does not support. */
function partsOf(text: string) {
  const [, srv, credentials = '', hosts = '', query = ''] =
    /^mongodb(\+srv)?:\/\/(?:([^/?]*)@)?([^/?]*)[^?]*(?:\?(.*))?$/.exec(text) ?? [];
  const parameters = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]));
  const isTrue = (name: string) => parameters.get(name.toLowerCase()) === 'true';
  const [user, password] = credentials.split(':');
  return {
    hosts: hosts.split(','),
    user,
    password,
    tls: isTrue('tls') || isTrue('ssl') || (srv !== undefined && parameters.get('tls') !== 'false'),
    verified: !unverified.some(isTrue),
    mechanism: parameters.get('authmechanism'),
  };
}

export interface MongoConfig {
  MONGODB_URL: string;
  MONGODB_DATABASE: string;
  MONGODB_POOL_SIZE: number;
  MONGODB_USERNAME?: string | undefined;
  MONGODB_PASSWORD?: string | undefined;
}

export function mongoOptions(config: MongoConfig) {
  const { MONGODB_USERNAME: username, MONGODB_PASSWORD: password } = config;
  return {
    url: config.MONGODB_URL,
    database: config.MONGODB_DATABASE,
    poolSize: config.MONGODB_POOL_SIZE,
    ...(username && password && { credentials: { username, password } }),
    tls: tlsMaterial(config as Given & MongoConfig, 'MONGODB') satisfies TlsMaterial,
  };
}
