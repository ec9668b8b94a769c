import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { ConfigError } from '@shopscope/config';
import { loadConfig as loadDashboard } from '@shopscope/dashboard';
import { loadConfig as loadGateway } from '@shopscope/gateway';
import { loadConfig as loadKeys } from '@shopscope/keys';
import { loadConfig as loadMetering } from '@shopscope/metering';
import { loadConfig as loadProfiles } from '@shopscope/profiles';
import { loadConfig as loadScanScheduler } from '@shopscope/scan-scheduler';
import { loadConfig as loadScanner } from '@shopscope/scanner';
import { loadConfig as loadSearch } from '@shopscope/search';
import { loadConfig as loadSubscriptions } from '@shopscope/subscriptions';
import { loadConfig as loadWebhooks } from '@shopscope/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEnvironmentTls, type EnvironmentTls } from './tls.ts';

const services = [
  ['gateway', loadGateway],
  ['keys', loadKeys],
  ['metering', loadMetering],
  ['profiles', loadProfiles],
  ['scan-scheduler', loadScanScheduler],
  ['scanner', loadScanner],
  ['search', loadSearch],
  ['dashboard', loadDashboard],
  ['subscriptions', loadSubscriptions],
  ['webhooks', loadWebhooks],
] as const;

describe.each(services)('%s', (name, load) => {
  const directory = mkdtempSync(`${tmpdir()}/service-tls-`);
  let tls: EnvironmentTls;
  beforeAll(async () => {
    tls = await createEnvironmentTls(directory, true);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  /** Faults of these settings; the many others that an empty environment has are left out. */
  const faultsOf = (env: Record<string, string>): string[] => {
    try {
      load(env);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.problems.filter((problem) => problem.startsWith('GRPC_TLS'));
    }
    throw new Error('an empty environment is not configuration');
  };

  it('a service starts with its own certificate, and in development with none', () => {
    expect(faultsOf(tls.variables(name))).toEqual([]);
    expect(faultsOf({ SHOPSCOPE_ENV: 'development' })).toEqual([]);
  });

  it('a service refuses gRPC without mutual TLS in production, unless INSECURE_CONNECTIONS names grpc', () => {
    const problem =
      'GRPC_TLS_CERT_FILE: is required, with GRPC_TLS_CA_FILE and GRPC_TLS_KEY_FILE, in production, unless INSECURE_CONNECTIONS names grpc';
    expect(faultsOf({})).toEqual([problem]);
    expect(faultsOf({ SHOPSCOPE_ENV: 'production', INSECURE_CONNECTIONS: 'mongodb,kafka,redis' })).toEqual([problem]);
    expect(faultsOf({ INSECURE_CONNECTIONS: 'kafka, grpc' })).toEqual([]);
  });

  it('a service refuses the certificate of another service, a part of the settings, and files that are not there', () => {
    expect(faultsOf(tls.variables(name === 'keys' ? 'gateway' : 'keys'))).toEqual([
      `GRPC_TLS_CERT_FILE: must name spiffe://shopscope/${name} as its only URI`,
    ]);
    const { GRPC_TLS_KEY_FILE: _, ...part } = tls.variables(name);
    expect(faultsOf(part)).toEqual(['GRPC_TLS_KEY_FILE: is required once another GRPC_TLS_ variable is set']);
    expect(faultsOf({ ...tls.variables(name), GRPC_TLS_CA_FILE: '/absent' })).toEqual([
      'GRPC_TLS_CA_FILE: cannot be read (ENOENT)',
    ]);
  });
});
