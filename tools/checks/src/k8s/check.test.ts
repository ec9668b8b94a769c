import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { problemsOf } from './check.ts';
import { deploymentsIn, type Manifest, readManifests } from './manifests.ts';

const folder = resolve(import.meta.dirname, '../../../../deploy/k8s');
const read = (pattern: string) =>
  globSync(pattern, { cwd: folder, exclude: ['**/kustomization.yaml'] }).flatMap((file) =>
    readManifests(readFileSync(join(folder, file), 'utf8')),
  );

describe('the check of rendered manifests', () => {
  let base: Manifest[];
  beforeEach(() => {
    base = read('base/**/*.yaml');
  });
  const secrets = () => read('components/plain-secrets/secrets.yaml');
  const named = (kind: string, name: string) =>
    base.find((manifest) => manifest.kind === kind && manifest.metadata.name === name) as Manifest;

  it('accepts the base, whose Secrets come from overlays', () => {
    expect(problemsOf(base, { isBase: true })).toEqual([]);
  });

  it('accepts the Secret templates: what is to be replaced is refused by the service that gets it', () => {
    expect(problemsOf([...base, ...secrets()], { isBase: false })).toEqual([]);
  });

  it('names each variable that a service would refuse', () => {
    named('ConfigMap', 'shopscope').data.KAFKA_TLS = 'false';
    const problems = problemsOf(base, { isBase: true });
    expect(problems).toHaveLength(6);
    expect(problems[0]).toContain('KAFKA_TLS: must be true');
  });

  it('names what an overlay refers to and does not have', () => {
    const withoutPepper = secrets();
    delete withoutPepper.find(({ metadata }) => metadata.name === 'metering')?.stringData.MONGODB_URL;
    expect(problemsOf([...base, ...withoutPepper], { isBase: false })).toEqual([
      'Deployment metering: key MONGODB_URL of Secret metering is not there',
      'Deployment metering: MONGODB_URL: is required',
      expect.stringContaining('MONGODB_USERNAME: is required'),
    ]);
    const keys = deploymentsIn(base).find(({ manifest }) => manifest.metadata.name === 'keys');
    if (keys) keys.manifest.spec.template.spec.volumes = [{ name: 'tls', secret: { secretName: 'keys-grpc-tls' } }];
    expect(problemsOf(base, { isBase: true })).toEqual([
      'Deployment keys: Secret keys-grpc-tls is made by no Certificate',
    ]);
  });

  it('names a placeholder that a service does not read, and so does not refuse', () => {
    deploymentsIn(base)[0]?.container.env?.push({ name: 'KAFKA_PASSWORD', value: 'REPLACE-ME' });
    expect(problemsOf(base, { isBase: true })[0]).toContain('KAFKA_PASSWORD starts with REPLACE-ME');
  });

  it('refuses more gateways than the shares of a limit, with an autoscaler and without', () => {
    named('HorizontalPodAutoscaler', 'gateway').spec.maxReplicas = 21;
    expect(problemsOf(base, { isBase: true })[0]).toContain('REPLICAS is 20, it must be no less than 21');
    base = base.filter(({ kind }) => kind !== 'HorizontalPodAutoscaler');
    named('Deployment', 'gateway').spec.replicas = 20;
    expect(problemsOf(base, { isBase: true })).toEqual([]);
    named('Deployment', 'gateway').spec.replicas = 30;
    expect(problemsOf(base, { isBase: true })[0]).toContain('no less than 30');
  });

  it('refuses replicas beside an autoscaler: an apply at peak load would remove pods', () => {
    named('Deployment', 'scanner').spec.replicas = 2;
    expect(problemsOf(base, { isBase: true })).toEqual(["Deployment scanner: replicas is the autoscaler's to decide"]);
  });

  it('names the Secret that a CronJob would look for in vain', () => {
    const nightly = read('components/backup/*.yaml');
    expect(problemsOf([...base, ...secrets(), ...nightly], { isBase: false })).toEqual([]);
    const others = secrets().filter(({ metadata }) => metadata.name !== 'backup');
    expect(problemsOf([...base, ...others, ...nightly], { isBase: false })).toEqual([
      'CronJob backup: key MONGODB_URL of Secret backup is not there',
    ]);
  });

  it('names a policy that selects nothing, and a service that is gone', () => {
    named('NetworkPolicy', 'scanner').spec.podSelector.matchLabels = { 'app.kubernetes.io/name': 'scaner' };
    expect(problemsOf(base, { isBase: true })).toEqual(['policy scanner selects scaner, which nothing is named']);
    base = base.filter(({ kind, metadata }) => kind !== 'Deployment' || metadata.name !== 'keys');
    expect(problemsOf(base, { isBase: true })[0]).toBe('Deployment keys is missing');
  });
});
