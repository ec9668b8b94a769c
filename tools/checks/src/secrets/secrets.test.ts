import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicWord } from '@shopscope/config';
import { developmentSigningKey, publicKeyEntry } from '@shopscope/ids';
import { describe, expect, it } from 'vitest';
import { serviceConfigs } from '../service-configs.ts';
import { constantsIn, type FoundSecret, findSecrets } from './find-secrets.ts';
import { problemsWith, secretSettings } from './secret-settings.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const settings = Object.keys(secretSettings);
/** Returns files, without those that Git ignores. It also works without a repository. */
const filesWith = (pattern: string, ...where: string[]) =>
  execFileSync('git', ['grep', '--no-index', '--exclude-standard', '-lIE', pattern, '--', ...where], { cwd: root })
    .toString()
    .split('\n')
    .slice(0, -1);

const random = () => randomBytes(32).toString('hex');
/** A random value in the form of the setting. */
function randomValue(name: string): string {
  const key = { id: '1', privateKey: generateKeyPairSync('ed25519').privateKey };
  if (name === 'PERMIT_PUBLIC_KEYS') return publicKeyEntry('scan-scheduler', key);
  if (name.endsWith('_SIGNING_KEY')) return `1:${randomBytes(32).toString('base64')}`;
  return secretSettings[name]?.write(random()) ?? '';
}

/** Accepted by a development system, so somebody may use it, and accepted in production, where everybody knows it. */
const isUsable = ({ setting, value }: FoundSecret) =>
  problemsWith(setting, value, 'development').length === 0 && problemsWith(setting, value, 'production').length === 0;

describe('secrets that are in the repository', () => {
  const paths = filesWith(`\\b(${settings.join('|')})\\b`);
  const texts = new Map(paths.map((path) => [path, read(path)]));
  const exporting = filesWith('^export const \\w+ = [\'"`]', '*.ts');
  const exported = new Map(
    exporting.flatMap((path) => [...constantsIn(read(path).replace(/^(?!export const ).*$/gm, ''))]),
  );
  const found = [...texts].flatMap(([path, text]) =>
    findSecrets(text, settings, /\.m?[jt]sx?$/.test(path) ? exported : undefined).map((secret) => ({
      path,
      ...secret,
    })),
  );

  it('a secret in the repository is refused in production: by its word, by its form, or as a key of development systems', () => {
    const accepted = found.filter(isUsable).map(({ path, line, setting }) => `${path}:${line} ${setting}`);
    expect(accepted, `write the word "${publicWord}" into these secrets, or make them at random`).toEqual([]);
  });

  it.each([
    ['deploy/compose/compose.yaml', 'CURSOR_SECRET', 'KEY_PEPPER', 'SESSION_SECRET', 'WEBHOOK_STORAGE_SECRETS'],
    [
      'deploy/k8s/overlays/local/kustomization.yaml',
      'CURSOR_SECRET',
      'KEY_PEPPER',
      'SESSION_SECRET',
      'WEBHOOK_STORAGE_SECRETS',
    ],
    ['tools/dev-env/src/dev-env.ts', 'CURSOR_SECRET', 'KEY_PEPPER', 'SESSION_SECRET', 'WEBHOOK_STORAGE_SECRETS'],
    ['lab/bench/src/service-processes.ts', 'CURSOR_SECRET', 'WEBHOOK_STORAGE_SECRETS'],
    ['services/keys/src/config.test.ts', 'KEY_PEPPER', 'KEY_PEPPERS'],
    ['services/keys/test/integration/harness.ts', 'KEY_PEPPER'],
    ['services/gateway/test/integration/support/gateway.ts', 'CURSOR_SECRET'],
    ['services/dashboard/test/integration/support/system.ts', 'KEY_PEPPER', 'SESSION_SECRET'],
  ])('a secret in the repository is found in %s', (path, ...names) => {
    const usable = found.filter((each) => each.path === path && !problemsWith(each.setting, each.value, 'test').length);
    expect([...new Set(usable.map(({ setting }) => setting))].sort()).toEqual(names);
  });
});

it.each([
  ['      - KEY_PEPPER=a-text', 'a-text'],
  ['export KEY_PEPPER=a-text; next', 'a-text'],
  ['KEY_PEPPER: "a text"', 'a text'],
  ['{"KEY_PEPPER": "a text"}', 'a text'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of Compose
  ['KEY_PEPPER: ${KEY_PEPPER:-a-text}', 'a-text'],
  ['set `KEY_PEPPER=a-text` first', 'a-text'],
])('the search for secrets finds the value in %j', (text, value) => {
  expect(findSecrets(text, ['KEY_PEPPER'])).toEqual([{ setting: 'KEY_PEPPER', value, line: 1 }]);
});

it.each([
  ["  KEY_PEPPER: 'a text',", ['a text']],
  ["  'KEY_PEPPER': 'a text',", ['a text']],
  ["const one = 'a text';\nstart({ KEY_PEPPER: one })", ['a text']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in a text
  ["const one = 'a text';\nstart({ KEY_PEPPER: `1:${one}` })", ['1:a text']],
  ["KEY_PEPPER: 'ab'.repeat(3)", ['ababab']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in a text
  ["KEY_PEPPER: `1:${'A'.repeat(3)}`", ['1:AAA']],
  ["KEY_PEPPER:\n    'a text'", ['a text']],
  ['start({ KEY_PEPPER: elsewhere })', ['of another file']],
  ["run(['KEY_PEPPER=a-text'])", ['a-text']],
  ["expect(start({ KEY_PEPPER: 'a text' })).toEqual(['another text'])", ['a text']],
  ["KEY_PEPPER: [{ a: 'one' }, 'two'].join(), B: 'three'", ['one', 'two']],
  ["KEY_PEPPERS: 'another setting'", []],
])('the search for secrets finds the values in the code %j', (text, values) => {
  const found = findSecrets(text, ['KEY_PEPPER'], new Map([['elsewhere', 'of another file']]));
  expect(found.map(({ value }) => value)).toEqual(values);
});

describe.each(Object.entries(secretSettings))('%s', (name, { owner, write }) => {
  const isKey = name.startsWith('PERMIT_') || name === 'REPLAY_SIGNING_KEY';
  const weak = [
    ...['a', 'abc', 'x1y2z3', '0123456789', 'S3cret!-'].map((part) => part.repeat(40).slice(0, 40)),
    ...['0123456789abcdefghijklmnopqrstuvwxyz', 'zyxwvutsrqponmlkjihgfedcba9876543210', random().slice(0, 8).repeat(5)],
    ...(isKey ? [] : ['0'.repeat(15), `${random()}-Development`, `a-${publicWord}-${random()}`]),
  ];

  it(`${name} of ${owner} is refused in production when it is public, short, repeated or counted, without its text`, () => {
    for (const secret of weak) {
      const problems = problemsWith(name, write(secret), 'production');
      expect([secret, problems]).toEqual([secret, [expect.stringMatching(/^[A-Z_]+: .*(production|characters)/)]]);
      expect(problems.join()).not.toContain(secret);
    }
  });

  it(`${name} is accepted in production when it is random, and when production is the default`, () => {
    for (let n = 0; n < 20; n++) expect(problemsWith(name, randomValue(name), n % 2 ? 'production' : '')).toEqual([]);
  });

  it(`${name} may be public in development and in tests`, () => {
    const text = isKey ? write('a public key of thirty-two bytes') : write(`a ${publicWord} secret of 32 characters`);
    for (const environment of ['development', 'test']) expect(problemsWith(name, text, environment)).toEqual([]);
  });
});

it.each(['scan-scheduler', 'replay'] as const)('production refuses the keys of development systems of %s', (owner) => {
  const signing = developmentSigningKey(owner);
  const bytes = signing.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('base64');
  for (const name of ['PERMIT_SIGNING_KEY', 'REPLAY_SIGNING_KEY']) {
    expect(problemsWith(name, `1:${bytes}`, 'production')).toEqual([`${name}: is public, so production refuses it`]);
  }
  const entries = [publicKeyEntry(owner, signing), randomValue('PERMIT_PUBLIC_KEYS').replace(':1:', ':own:')];
  expect(problemsWith('PERMIT_PUBLIC_KEYS', entries.join(','), 'production')).toContain(
    'PERMIT_PUBLIC_KEYS: entry 1 is public, so production refuses it',
  );
});

it('every setting of a service or tool whose name is that of a secret is in the check of secrets', () => {
  const configs = [
    ...Object.keys(serviceConfigs).map((name) => `services/${name}/src/config.ts`),
    'tools/dlq/src/config.ts',
  ];
  const named = configs.flatMap((path) =>
    [
      ...read(path).matchAll(/^ {2}([A-Z_]*(?:SECRET|PEPPERS?|SIGNING_KEY|PRIVATE_KEY|PUBLIC_KEYS?|TOKEN)[A-Z_]*):/gm),
    ].map(([, name]) => name),
  );
  expect(new Set(named)).toEqual(new Set(settings));
});
