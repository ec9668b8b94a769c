import { readFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { LocalStackError } from '@shopscope/local-stack';
import { parseTestHosts } from '@shopscope/scanner/test-hosts';
import { parseArguments, type StartArguments } from './arguments.ts';
import { maxPort, type PortSettings, portFault, portRange } from './ports.ts';

/**
 * Settings of `npm start`.
 *
 * - Ports derive from SHOPSCOPE_PORT_BASE and can be set separately. So two checkouts with different bases run side by
 *   side.
 * - All files are below SHOPSCOPE_LOCAL_DIR.
 */
export type Env = Readonly<Record<string, string | undefined>>;

export interface StartSettings extends PortSettings, StartArguments {
  stateDir: string;
  cacheDir: string;
  readyFile: string;
  logLevel: string;
  tls: boolean;
  /** KEY_PEPPERS of the keys service, in place of the pepper of the local state, to try a rotation. */
  keyPeppers: string | undefined;
  /** A running Redis for stored responses. By default they are in the Redis of the limits. */
  idempotencyRedisUrl: string | undefined;
  /** Files with the developer's own test hosts. They take precedence over the demo stores. */
  ownTestHostsFiles: readonly string[];
}

const defaultPortBase = 8_080;
/** Ports of the data servers, from the base on. Several nodes of a server have consecutive ports. */
const portsOfOneNode = {
  mongodb: 20,
  kafka: 21,
  kafkaController: 22,
  redis: 23,
  opensearch: 26,
  opensearchTransport: 27,
};
const portsOfSeveralNodes = {
  mongodb: 30,
  kafka: 33,
  kafkaController: 36,
  redis: 40,
  opensearch: 46,
  opensearchTransport: 49,
};
/** Lower ports need root on most machines, so they are never suggested. */
const lowestForEverybody = 1_024;

/** Directory of all local files; default: `.local` below the current folder. */
export function localDirectory(env: Env): string {
  return resolve(env.SHOPSCOPE_LOCAL_DIR ?? '.local');
}

/** Throws LocalStackError with the invalid variable or option. `lowestPort`: the lowest port that this user may use. */
export function readSettings(env: Env, argv: readonly string[], lowestPort = lowestPortHere()): StartSettings {
  const settings = settingsOf(env, argv);
  if (settings.secured && settings.nodes > 1) {
    throw new LocalStackError('SHOPSCOPE_SECURED=true starts one node per server; leave out --nodes, or unset it.');
  }
  for (const file of settings.ownTestHostsFiles) refuseInvalidTestHosts(file);
  const problem = portFault(settings, lowestPort);
  if (!problem) return settings;
  const variable = env[problem.variable] ? problem.variable : 'SHOPSCOPE_PORT_BASE';
  const value = Number(env[variable] || defaultPortBase);
  const candidates = [
    ...Array.from({ length: portRange }, (_, n) => Math.max(value + 1, lowestForEverybody) + n),
    maxPort - portRange,
    defaultPortBase,
  ];
  const works = candidates.find(
    (port) => port <= maxPort && !portFault(settingsOf({ ...env, [variable]: String(port) }, argv), lowestPort),
  );
  const remedy = works ? `${variable}=${works} works` : 'set another';
  throw new LocalStackError(
    `${variable}=${value} gives ${problem.what} the port ${problem.port}, which is ${problem.reason}; ${remedy}.`,
  );
}

/** On Linux only root may use lower ports. */
function lowestPortHere(): number {
  if (process.getuid?.() === 0) return 1;
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return 1;
  }
}

function settingsOf(env: Env, argv: readonly string[]): StartSettings {
  const stateDir = localDirectory(env);
  const base = portOf(env, 'SHOPSCOPE_PORT_BASE', defaultPortBase);
  const given = parseArguments(argv);
  const data = given.nodes === 1 ? portsOfOneNode : portsOfSeveralNodes;
  return {
    stateDir,
    cacheDir: resolve(env.SHOPSCOPE_CACHE_DIR ?? `${stateDir}/cache`),
    readyFile: `${stateDir}/ready.json`,
    portBase: base,
    ports: {
      gateway: portOf(env, 'SHOPSCOPE_GATEWAY_PORT', base),
      dashboard: portOf(env, 'SHOPSCOPE_DASHBOARD_PORT', base + 10),
      mongodb: portOf(env, 'SHOPSCOPE_MONGODB_PORT', base + data.mongodb),
      kafka: portOf(env, 'SHOPSCOPE_KAFKA_PORT', base + data.kafka),
      kafkaController: portOf(env, 'SHOPSCOPE_KAFKA_CONTROLLER_PORT', base + data.kafkaController),
      redis: portOf(env, 'SHOPSCOPE_REDIS_PORT', base + data.redis),
      opensearch: portOf(env, 'SHOPSCOPE_OPENSEARCH_PORT', base + data.opensearch),
      opensearchTransport: portOf(env, 'SHOPSCOPE_OPENSEARCH_TRANSPORT_PORT', base + data.opensearchTransport),
      redisTls: portOf(env, 'SHOPSCOPE_REDIS_TLS_PORT', base + 25),
      demoStores: portOf(env, 'SHOPSCOPE_DEMO_STORES_PORT', base + 24),
    },
    ...given,
    logLevel: env.LOG_LEVEL ?? 'info',
    tls: flagOf(env, 'SHOPSCOPE_TLS'),
    secured: flagOf(env, 'SHOPSCOPE_SECURED'),
    keyPeppers: env.KEY_PEPPERS || undefined,
    idempotencyRedisUrl: env.SHOPSCOPE_IDEMPOTENCY_REDIS_URL || undefined,
    ownTestHostsFiles: (env.SHOPSCOPE_SCAN_HOSTS ?? '')
      .split(delimiter)
      .filter((path) => path !== '')
      .map((path) => resolve(path)),
  };
}

/** Throws LocalStackError for a missing or invalid file. */
function refuseInvalidTestHosts(file: string): void {
  try {
    parseTestHosts(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? 'which does not exist' : `which is not a valid file of scan hosts: ${message}`;
    throw new LocalStackError(`SHOPSCOPE_SCAN_HOSTS names ${file}, ${problem}.`);
  }
}

function flagOf(env: Env, variable: string): boolean {
  const text = env[variable] || 'false';
  if (text !== 'true' && text !== 'false') {
    throw new LocalStackError(`${variable} must be true or false, not "${text}".`);
  }
  return text === 'true';
}

function portOf(env: Env, variable: string, fallback: number): number {
  const text = env[variable];
  const port = text === undefined || text === '' ? fallback : Number(text);
  if (!Number.isInteger(port) || port < 1 || (text && port > maxPort)) {
    throw new LocalStackError(`${variable} must be a port number from 1 to ${maxPort}, not "${text}".`);
  }
  return port;
}
