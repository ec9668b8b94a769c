import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createReadClientAddress } from '@shopscope/client-address';
import { beforeEach, describe, expect, it } from 'vitest';
import { serviceConfigs } from '../service-configs.ts';
import { problemsOf } from './check.ts';
import { environmentOf } from './environment.ts';
import { deploymentsIn, type Manifest, readManifests } from './manifests.ts';
import { mebibytes, peakMargin, readMeasuredMemory } from './memory.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folder = join(root, 'deploy/k8s');
const memory = readMeasuredMemory(root);
const asBase = { isBase: true, memory };
const asOverlay = { isBase: false, memory };
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
    expect(problemsOf(base, asBase)).toEqual([]);
  });

  it('the check of manifests accepts Secret templates, because services refuse their placeholders', () => {
    expect(problemsOf([...base, ...secrets()], asOverlay)).toEqual([]);
  });

  it('the check of manifests names each variable that a service would refuse', () => {
    named('ConfigMap', 'shopscope').data.KAFKA_TLS = 'false';
    const problems = problemsOf(base, asBase);
    expect(problems).toHaveLength(10);
    expect(problems[0]).toContain('KAFKA_TLS: must be true');
  });

  it('the check of manifests names references of an overlay to missing objects', () => {
    const withoutPepper = secrets();
    delete withoutPepper.find(({ metadata }) => metadata.name === 'metering')?.stringData.MONGODB_URL;
    expect(problemsOf([...base, ...withoutPepper], asOverlay)).toEqual([
      'Deployment metering: key MONGODB_URL of Secret metering does not exist',
      'Deployment metering: MONGODB_URL: is required',
      expect.stringContaining('MONGODB_USERNAME: is required'),
    ]);
    const uncertified = secrets().filter(({ metadata }) => metadata.name !== 'keys-grpc-tls');
    expect(problemsOf([...base, ...uncertified], asOverlay)).toEqual([
      'Deployment keys: Secret keys-grpc-tls has no Certificate that creates it',
    ]);
  });

  it('the base has mutual TLS between the services, and the check names every service without it', () => {
    for (const { container } of deploymentsIn(base)) {
      container.env = container.env?.filter(({ name }) => !name.startsWith('GRPC_TLS_')) ?? [];
    }
    const problems = problemsOf(base, asBase);
    expect(problems).toHaveLength(10);
    for (const problem of problems) expect(problem).toMatch(/: GRPC_TLS_CERT_FILE: is required, with .* names grpc$/);
    named('ConfigMap', 'shopscope').data.INSECURE_CONNECTIONS = 'grpc';
    expect(problemsOf(base, asBase)).toEqual([]);
  });

  it('the check of manifests names a file of certificates that no mounted Secret has', () => {
    named('Deployment', 'keys').spec.template.spec.containers[0].volumeMounts = [];
    expect(problemsOf(base, asBase)).toEqual(
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
    const problems = (name: string) => problemsOf([...base, ...secrets(), ...entry(name)], asOverlay);
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
    expect(problemsOf(base, asBase)[0]).toContain('KAFKA_PASSWORD starts with REPLACE-ME');
  });

  it('the check of manifests refuses more gateways than shares of a limit, with and without an autoscaler', () => {
    named('HorizontalPodAutoscaler', 'gateway').spec.maxReplicas = 21;
    expect(problemsOf(base, asBase)[0]).toContain('REPLICAS is 20, it must be at least 21');
    base = base.filter(({ kind }) => kind !== 'HorizontalPodAutoscaler');
    named('Deployment', 'gateway').spec.replicas = 20;
    expect(problemsOf(base, asBase)).toEqual([]);
    named('Deployment', 'gateway').spec.replicas = 30;
    expect(problemsOf(base, asBase)[0]).toContain('at least 30');
  });

  it('the check of manifests refuses replicas together with an autoscaler, because an apply would remove pods at peak load', () => {
    named('Deployment', 'scanner').spec.replicas = 2;
    expect(problemsOf(base, asBase)).toEqual([
      'Deployment scanner: replicas must be absent, because the autoscaler sets it',
    ]);
  });

  it('the check of manifests names a missing Secret of a component', () => {
    const nightly = read('components/backup/*.yaml');
    expect(problemsOf([...base, ...secrets(), ...nightly], asOverlay)).toEqual([]);
    const others = secrets().filter(({ metadata }) => metadata.name !== 'backup');
    expect(problemsOf([...base, ...others, ...nightly], asOverlay)).toEqual([
      'Deployment backup: key MONGODB_URL of Secret backup does not exist',
      'Deployment backup: MONGODB_URL: is required',
      expect.stringContaining('MONGODB_USERNAME: is required'),
    ]);
  });

  it('the table of measured memory has every service, with a request for its usual load and a limit above its peak', () => {
    expect(memory.map(({ service }) => service).sort()).toEqual(Object.keys(serviceConfigs).sort());
    for (const { service, idle, usual, peak, request, limit } of memory) {
      expect([service, idle <= usual, usual <= request, usual <= peak, request <= limit]).toEqual([
        service,
        ...Array(4).fill(true),
      ]);
      expect(limit, service).toBeGreaterThanOrEqual(peak * peakMargin);
    }
  });

  it('the base requests the memory of the table, and has its limits', () => {
    const given = deploymentsIn(base).map(({ manifest, container: { resources = {} } }) => ({
      service: manifest.metadata.name,
      request: mebibytes(resources.requests?.memory),
      limit: mebibytes(resources.limits?.memory),
    }));
    const expected = memory.map(({ service, request, limit }) => ({ service, request, limit }));
    expect(given).toHaveLength(expected.length);
    expect(given).toEqual(expect.arrayContaining(expected));
  });

  it('the check of manifests names a service with less memory than measured, or with a heap that its limit does not bound', () => {
    const { resources } = named('Deployment', 'metering').spec.template.spec.containers[0];
    resources.requests.memory = '16Mi';
    resources.limits.memory = '32Mi';
    expect(problemsOf(base, asBase)).toEqual([
      expect.stringMatching(/^Deployment metering requests 16 MiB, below \d+$/),
      expect.stringMatching(/^Deployment metering has the limit 32 MiB, below \d+$/),
    ]);
    const heap = 'has no bound of its heap at 60 % of its limit';
    base = read('base/**/*.yaml');
    const settings = named('ConfigMap', 'shopscope').data;
    settings.NODE_OPTIONS = '--max-old-space-size-percentage=80';
    expect(problemsOf(base, asBase).filter((problem) => problem.endsWith(heap))).toHaveLength(9);
    delete settings.NODE_OPTIONS;
    expect(problemsOf(base, asBase)).toContain(`Deployment gateway ${heap}`);
  });

  it('the check of manifests names a service whose drain could stop, and one whose pods could share a zone', () => {
    delete named('PodDisruptionBudget', 'keys').spec.unhealthyPodEvictionPolicy;
    named('Deployment', 'profiles').spec.template.spec.topologySpreadConstraints.pop();
    expect(problemsOf(base, asBase)).toEqual([
      'Deployment profiles: no constraint spreads its pods over topology.kubernetes.io/zone',
      'PodDisruptionBudget keys must have unhealthyPodEvictionPolicy AlwaysAllow',
    ]);
    base = base.filter(({ kind, metadata }) => kind !== 'PodDisruptionBudget' || metadata.name !== 'keys');
    expect(problemsOf(base, asBase)).toContain('PodDisruptionBudget keys is missing');
  });

  it('the check of manifests names each Deployment that the install would start before the migrations', () => {
    base.push(...read('components/backup/*.yaml'));
    for (const name of ['keys', 'backup']) delete named('Deployment', name).metadata.labels;
    expect(problemsOf(base, asBase)).toEqual([
      'Deployment keys has no label for the install',
      'Deployment backup has no label for the install',
    ]);
  });

  it('the check of manifests names a migration that would run by itself, with another image, user or Secret', () => {
    const job = named('CronJob', 'migrate-keys');
    const [container] = job.spec.jobTemplate.spec.template.spec.containers;
    job.spec.suspend = false;
    container.image = 'shopscope/profiles';
    container.args = ['--migrate', '--validate'];
    container.env = container.env.filter(({ name }: { name: string }) => name !== 'MONGODB_URL');
    container.env.push({ name: 'KEY_PEPPER', valueFrom: { secretKeyRef: { name: 'keys', key: 'KEY_PEPPER' } } });
    expect(problemsOf(base, asBase)).toEqual([
      'CronJob migrate-keys must be suspended, because migrate.sh makes the Jobs',
      'CronJob migrate-keys must run shopscope/keys',
      'CronJob migrate-keys must run --migrate alone',
      'CronJob migrate-keys may read no Secret but migrate',
      'CronJob migrate-keys must have MONGODB_URL if its service has it',
    ]);
    base = base.filter(({ metadata }) => metadata.name !== 'migrate-keys');
    expect(problemsOf(base, asBase)).toEqual(['CronJob migrate-keys is missing']);
  });

  it('the check of manifests names a pod that may write files or use the API of the cluster', () => {
    named('Deployment', 'scanner').spec.template.spec.containers[0].securityContext.readOnlyRootFilesystem = false;
    delete named('CronJob', 'migrate-scanner').spec.jobTemplate.spec.template.spec.automountServiceAccountToken;
    expect(problemsOf(base, asBase)).toEqual([
      'Deployment scanner: the pod must be restricted, read-only and without a token',
      'CronJob migrate-scanner: the pod must be restricted, read-only and without a token',
    ]);
  });

  it('the check of manifests names a policy that selects no pods, and a missing service', () => {
    named('NetworkPolicy', 'scanner').spec.podSelector.matchLabels = { 'app.kubernetes.io/name': 'scaner' };
    expect(problemsOf(base, asBase)).toEqual(['policy scanner selects scaner, but no object has this name']);
    base = base.filter(({ kind, metadata }) => kind !== 'Deployment' || metadata.name !== 'keys');
    expect(problemsOf(base, asBase)[0]).toBe('Deployment keys is missing');
  });
});
