import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createReadClientAddress } from '@shopscope/client-address';
import { beforeEach, describe, expect, it } from 'vitest';
import { problemsOf } from './check.ts';
import { environmentOf } from './environment.ts';
import { deploymentsIn, type Manifest, readManifests } from './manifests.ts';

const folder = resolve(import.meta.dirname, '../../../../deploy/k8s');
const read = (pattern: string) =>
  globSync(pattern, { cwd: folder, exclude: ['**/kustomization.yaml'] }).flatMap((file) =>
    readManifests(readFileSync(join(folder, file), 'utf8')),
  );

describe('check of rendered manifests', () => {
  let base: Manifest[];
  beforeEach(() => {
    base = read('base/**/*.yaml');
  });
  const certificates = () => read('components/certificates/certificates.yaml');
  const secrets = () => [...read('components/plain-secrets/secrets.yaml'), ...certificates()];
  const named = (kind: string, name: string) =>
    base.find((manifest) => manifest.kind === kind && manifest.metadata.name === name) as Manifest;

  it('the check of manifests accepts the base, whose Secrets come from overlays', () => {
    expect(problemsOf(base, { isBase: true })).toEqual([]);
  });

  it('the check of manifests accepts Secret templates, because services refuse their placeholders', () => {
    expect(problemsOf([...base, ...secrets()], { isBase: false })).toEqual([]);
  });

  it('the check of manifests names each variable that a service would refuse', () => {
    named('ConfigMap', 'shopscope').data.KAFKA_TLS = 'false';
    const problems = problemsOf(base, { isBase: true });
    expect(problems).toHaveLength(9);
    expect(problems[0]).toContain('KAFKA_TLS: must be true');
  });

  it('the check of manifests names references of an overlay to missing objects', () => {
    const withoutPepper = secrets();
    delete withoutPepper.find(({ metadata }) => metadata.name === 'metering')?.stringData.MONGODB_URL;
    expect(problemsOf([...base, ...withoutPepper], { isBase: false })).toEqual([
      'Deployment metering: key MONGODB_URL of Secret metering does not exist',
      'Deployment metering: MONGODB_URL: is required',
      expect.stringContaining('MONGODB_USERNAME: is required'),
    ]);
    const uncertified = secrets().filter(({ metadata }) => metadata.name !== 'keys-grpc-tls');
    expect(problemsOf([...base, ...uncertified], { isBase: false })).toEqual([
      'Deployment keys: Secret keys-grpc-tls has no Certificate that creates it',
    ]);
  });

  it('the base has mutual TLS between the services, and the check names every service without it', () => {
    for (const { container } of deploymentsIn(base)) {
      container.env = container.env?.filter(({ name }) => !name.startsWith('GRPC_TLS_')) ?? [];
    }
    const problems = problemsOf(base, { isBase: true });
    expect(problems).toHaveLength(9);
    for (const problem of problems) expect(problem).toMatch(/: GRPC_TLS_CERT_FILE: is required, with .* names grpc$/);
    named('ConfigMap', 'shopscope').data.INSECURE_CONNECTIONS = 'grpc';
    expect(problemsOf(base, { isBase: true })).toEqual([]);
  });

  it('the check of manifests names a file of certificates that no mounted Secret has', () => {
    named('Deployment', 'keys').spec.template.spec.containers[0].volumeMounts = [];
    expect(problemsOf(base, { isBase: true })).toEqual(
      ['CA', 'CERT', 'KEY'].map((name) => `Deployment keys: GRPC_TLS_${name}_FILE is in no mounted Secret`),
    );
  });

  it('the base trusts no proxy, so that no caller of a private network can write the address it is counted under', () => {
    for (const { manifest, container } of deploymentsIn(base)) {
      const { TRUSTED_PROXIES = '' } = environmentOf(container, base, { allowAbsent: true }).variables;
      const read = createReadClientAddress(TRUSTED_PROXIES.split(',').filter((range) => range !== ''));
      for (const caller of ['10.1.2.3', '172.16.1.2', '192.168.1.2', '203.0.113.9']) {
        expect([manifest.metadata.name, read(caller, '198.51.100.7')]).toEqual([manifest.metadata.name, caller]);
      }
    }
  });

  it('the check of manifests names services that an Ingress or a route reaches and that trust no proxy, or a whole private range', () => {
    const entry = (name: string) => read(`components/${name}/*.yaml`);
    const settings = named('ConfigMap', 'shopscope').data;
    const problems = (name: string) => problemsOf([...base, ...secrets(), ...entry(name)], { isBase: false });
    for (const name of ['ingress', 'gateway-api']) {
      delete settings.TRUSTED_PROXIES;
      expect(problems(name)).toEqual([
        'Deployment gateway: TRUSTED_PROXIES must name the proxy, because all callers have the address of the proxy otherwise',
        'Deployment dashboard: TRUSTED_PROXIES must name the proxy, because all callers have the address of the proxy otherwise',
      ]);
      settings.TRUSTED_PROXIES = '10.42.0.0/16,fd00:42::/48';
      expect(problems(name)).toEqual([]);
      for (const wide of ['0.0.0.0/0', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '::/0']) {
        settings.TRUSTED_PROXIES = `10.42.0.0/16,${wide}`;
        expect(problems(name)[0], wide).toBe(
          `Deployment gateway: TRUSTED_PROXIES has ${wide}, which is more than a proxy: its callers could write their own address`,
        );
      }
    }
  });

  it('the check of manifests names a placeholder that no service reads and refuses', () => {
    deploymentsIn(base)[0]?.container.env?.push({ name: 'KAFKA_PASSWORD', value: 'REPLACE-ME' });
    expect(problemsOf(base, { isBase: true })[0]).toContain('KAFKA_PASSWORD starts with REPLACE-ME');
  });

  it('the check of manifests refuses more gateways than shares of a limit, with and without an autoscaler', () => {
    named('HorizontalPodAutoscaler', 'gateway').spec.maxReplicas = 21;
    expect(problemsOf(base, { isBase: true })[0]).toContain('REPLICAS is 20, it must be at least 21');
    base = base.filter(({ kind }) => kind !== 'HorizontalPodAutoscaler');
    named('Deployment', 'gateway').spec.replicas = 20;
    expect(problemsOf(base, { isBase: true })).toEqual([]);
    named('Deployment', 'gateway').spec.replicas = 30;
    expect(problemsOf(base, { isBase: true })[0]).toContain('at least 30');
  });

  it('the check of manifests refuses replicas together with an autoscaler, because an apply would remove pods at peak load', () => {
    named('Deployment', 'scanner').spec.replicas = 2;
    expect(problemsOf(base, { isBase: true })).toEqual([
      'Deployment scanner: replicas must be absent, because the autoscaler sets it',
    ]);
  });

  it('the check of manifests names a missing Secret of a component', () => {
    const nightly = read('components/backup/*.yaml');
    expect(problemsOf([...base, ...secrets(), ...nightly], { isBase: false })).toEqual([]);
    const others = secrets().filter(({ metadata }) => metadata.name !== 'backup');
    expect(problemsOf([...base, ...others, ...nightly], { isBase: false })).toEqual([
      'Deployment backup: key MONGODB_URL of Secret backup does not exist',
      'Deployment backup: MONGODB_URL: is required',
      expect.stringContaining('MONGODB_USERNAME: is required'),
    ]);
  });

  it('the check of manifests names a policy that selects no pods, and a missing service', () => {
    named('NetworkPolicy', 'scanner').spec.podSelector.matchLabels = { 'app.kubernetes.io/name': 'scaner' };
    expect(problemsOf(base, { isBase: true })).toEqual(['policy scanner selects scaner, but no object has this name']);
    base = base.filter(({ kind, metadata }) => kind !== 'Deployment' || metadata.name !== 'keys');
    expect(problemsOf(base, { isBase: true })[0]).toBe('Deployment keys is missing');
  });
});
