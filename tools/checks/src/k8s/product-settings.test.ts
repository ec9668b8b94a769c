import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Manifest, readManifests } from './manifests.ts';
import { composeSystem, explainedIn, kubernetesSystem, localSystem, settingsDifferences } from './product-settings.ts';

const root = resolve(import.meta.dirname, '../../../..');
const base = 'deploy/k8s/base';
const manifests = () =>
  globSync('**/*.yaml', { cwd: join(root, base), exclude: ['**/kustomization.yaml'] }).flatMap((file) =>
    readManifests(readFileSync(join(root, base, file), 'utf8')),
  );
const others = [composeSystem(root), localSystem(root)];
const differences = (changed: Record<string, string> = {}) => {
  const rendered = manifests();
  const settings = rendered.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'shopscope');
  Object.assign((settings as Manifest).data, changed);
  const installed = kubernetesSystem(root, base, rendered);
  return { installed, problems: settingsDifferences(installed, others) };
};

describe('comparison of the settings of Kubernetes, Compose and npm start', () => {
  it('the comparison of settings reads the settings of every service of every system, and finds no difference without a reason', () => {
    const { installed, problems } = differences();
    for (const { services } of [installed, ...others]) expect(services.size).toBe(10);
    expect(problems).toEqual([]);
  });

  it('the comparison of settings names a setting that differs from each of the others, and the service that reads it', () => {
    expect(differences({ SWEEP_INTERVAL_MS: '60000' }).problems).toEqual([
      expect.stringMatching(/^metering: SWEEP_INTERVAL_MS is 60000, and 5000 in deploy\/compose;/),
      expect.stringMatching(/^metering: SWEEP_INTERVAL_MS is 60000, and 5000 in npm start;/),
    ]);
  });

  it('the comparison of settings allows a difference that a comment before the setting explains, in either system', () => {
    const { installed } = differences({ SWEEP_INTERVAL_MS: '60000' });
    const explain = ({ explained, ...system }: typeof installed) => ({
      ...system,
      explained: new Set([...explained, 'SWEEP_INTERVAL_MS']),
    });
    expect(settingsDifferences(explain(installed), others)).toEqual([]);
    expect(settingsDifferences(installed, others.map(explain))).toEqual([]);
  });

  it('the comparison of settings takes only a comment in the line before the setting as its reason', () => {
    const text = [
      '  # Of the first.',
      '  FIRST: "1"',
      '  SECOND: "2"',
      '',
      '  # Of an entry of a list,',
      '  # in two lines.',
      '            - name: THIRD',
      '              value: "3"',
      '  // In code.',
      "  FOURTH: '4',",
      '  # A gap follows.',
      '',
      '  FIFTH: "5"',
    ];
    expect([...explainedIn(text.join('\n'))]).toEqual(['FIRST', 'THIRD', 'FOURTH']);
  });
});
