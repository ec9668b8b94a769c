import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { services } from '../../../../deploy/access/src/kafka/table.ts';
import { readManifests } from '../k8s/manifests.ts';

const root = resolve(import.meta.dirname, '../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = [
  'docs/install.md',
  'docs/upgrade.md',
  'docs/rotation.md',
  'docs/backup.md',
  'docs/first-workspace.md',
  'deploy/k8s/README.md',
];
/** Files that the reader creates. */
const ownFolders = ['deploy/k8s/overlays/mine'];

const blocksOf = (text: string) => [...text.matchAll(/^```sh\n([\s\S]+?)^```$/gm)].map(([, block = '']) => block);
const commandsOf = (text: string) => blocksOf(text).join('\n');

describe('operator documents', () => {
  it('the operator documents have commands in all four procedures', () => {
    for (const document of documents.slice(0, 4)) expect(blocksOf(read(document)).length, document).toBeGreaterThan(3);
  });

  it.each(documents)('each block in %s is a valid bash script', (document) => {
    for (const block of blocksOf(read(document))) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' });
      expect({ block, status, stderr }).toEqual({ block, status: 0, stderr: '' });
    }
  });

  it.each(documents)('every path in a command or link of %s exists in the repository', (document) => {
    const text = read(document);
    const paths = [...text.matchAll(/(?<![\w/.-])(?:deploy|docs|services|tools|libs)\/[\w./-]*\w/g)].map(
      ([path]) => path,
    );
    const missing = paths.filter((path) => !ownFolders.includes(path) && !existsSync(join(root, path)));
    expect([...new Set(missing)]).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
    const broken = links.filter((target) => !existsSync(join(root, document, '..', target)));
    expect(broken).toEqual([]);
  });

  it('the operator documents use only existing npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = documents.flatMap((document) => [...read(document).matchAll(/npm run (?:--silent )?([\w:-]+)/g)]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  it("the operator documents apply the reader's own overlay or the local one, because `production` is an example", () => {
    const applied = documents.flatMap((document) => [...commandsOf(read(document)).matchAll(/ -k (\S+)/g)]);
    const folders = new Set(applied.map(([, folder = '']) => folder));
    expect([...folders].sort()).toEqual(['deploy/k8s/overlays/local', ...ownFolders]);
    expect(existsSync(join(root, 'deploy/k8s/overlays/local/kustomization.yaml'))).toBe(true);
  });

  it('the operator documents name the Secrets and keys that Deployments read', () => {
    const read_ = execFileSync('grep', ['-rhA2', 'secretKeyRef', join(root, 'deploy/k8s/base')], { encoding: 'utf8' });
    const keys = [...read_.matchAll(/name: ([\w-]+)\n\s+key: (\w+)/g)].map(([, , key = '']) => key);
    expect(keys.length).toBeGreaterThan(10);
    const install = read('docs/install.md') + read('docs/rotation.md');
    expect(keys.filter((key) => !install.includes(`\`${key}\``))).toEqual([]);
  });
});

describe('docs/install.md', () => {
  const text = read('docs/install.md');

  it('docs/install.md names each object that the manifests require and do not create', () => {
    const found = execFileSync(
      'grep',
      ['-rhE', 'cluster-issuer: |ingressClassName: |gatewayClassName: ', join(root, 'deploy/k8s/components')],
      { encoding: 'utf8' },
    );
    const names = new Set(found.split('\n').flatMap((line) => /: ([\w-]+)$/.exec(line)?.[1] ?? []));
    expect([...names].sort()).toEqual(['cilium', 'letsencrypt', 'nginx']);
    const [prerequisites = ''] = text.split('### Data servers');
    expect([...names, 'shopscope'].filter((name) => !prerequisites.includes(`\`${name}\``))).toEqual([]);
  });

  it('docs/install.md creates the user in Kafka of each service and of the migrations', () => {
    const [, users = ''] = /^for user in (.*) migrate replay-dead-letters; do$/m.exec(text) ?? [];
    expect(users.split(' ').sort()).toEqual(services.toSorted());
  });

  it('docs/install.md creates the namespace before any other object, even before a dry run', () => {
    const first = (command: string) => text.indexOf(command) >>> 0;
    const made = first('kubectl apply -f deploy/k8s/base/namespace.yaml');
    expect(made).toBeLessThan(first('kubectl -n shopscope'));
    expect(made).toBeLessThan(first('--dry-run=server'));
  });
});

it('no command of a document has a password in its arguments, which every user of the machine can read', () => {
  const clear = /--add-config[ =](?!message\.)|SETUSER .*[<>]\$|--(?:password|pass)[ =]|redis-cli -u|password=\$/;
  for (const document of documents) {
    const lines = commandsOf(read(document)).split('\n');
    expect({ document, lines: lines.filter((line) => clear.test(line)) }).toEqual({ document, lines: [] });
  }
});

it('the patch of docs/rotation.md replaces the pepper of an ExternalSecret by several peppers', () => {
  const [keys] = readManifests(read('deploy/k8s/components/external-secrets/external-secrets.yaml')).filter(
    ({ metadata }) => metadata.name === 'keys',
  );
  for (const [, index, value] of read('docs/rotation.md').matchAll(
    /op: test, path: \/spec\/data\/(\d)\/secretKey, value: (\w+)/g,
  ))
    expect(keys?.spec.data[Number(index)].secretKey).toBe(value);
  expect(read('docs/rotation.md')).toContain('/spec/data/1/remoteRef/property, value: KEY_PEPPERS');
});
