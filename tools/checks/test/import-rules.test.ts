import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A rule that matches nothing never fails. Each direction is therefore tried with an import that it has to refuse. */
const root = resolve(import.meta.dirname, '../../..');

describe('import rules', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
    const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What lint says of this source at this place of the repository. */
  const lint = (path: string, source: string): Promise<string> => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
    return new Promise((done) => {
      const options = { cwd: folder };
      execFile(join(root, 'node_modules/.bin/biome'), ['lint', path], options, (_, stdout, stderr) =>
        done(stdout + stderr),
      );
    });
  };

  const forbidden: [path: string, source: string][] = [
    ['services/keys/src/domain/a.ts', `import { a } from '../operations/create-key.ts';\nconsole.log(a);\n`],
    ['services/keys/src/domain/a.ts', `export type { A } from '../outbound/mongo/keys.ts';\n`],
    ['services/keys/src/operations/a.ts', `export { a } from '../inbound/grpc/create-key.ts';\n`],
    ['services/keys/src/outbound/mongo/a.ts', `import type { A } from '../../operations/a.ts';\nexport type B = A;\n`],
    ['services/keys/src/operations/a.ts', `import { a } from '@shopscope/gateway';\nconsole.log(a);\n`],
    ['tools/local-stack/src/a.ts', `import { a } from '@shopscope/keys';\nconsole.log(a);\n`],
    [
      'services/keys/src/operations/a.ts',
      `import type { ClientSession } from 'mongodb';\nexport type A = ClientSession;\n`,
    ],
    ['services/keys/src/domain/a.ts', `import { Long } from 'mongodb';\nconsole.log(Long);\n`],
    ['services/keys/src/inbound/grpc/a.ts', `export type { Db } from 'mongodb';\n`],
    ['services/keys/src/service.ts', `import { MongoClient } from 'mongodb';\nconsole.log(MongoClient);\n`],
    ...[
      ['keys/domain/a.ts', '../operations/keys.ts'],
      ['keys/outbound/a.ts', '../operations/keys.ts'],
      ['keys/operations/a.ts', '../pages/key.tsx'],
      ['keys/operations/a.ts', '../inbound/a.ts'],
      ['keys/operations/a.ts', '../../people/pages.ts'],
      ['keys/domain/a.ts', '../../usage/operations.ts'],
      ['usage/pages/a.tsx', '../../keys/pages/key-facts.tsx'],
      ['usage/operations/a.ts', '../../keys/outbound/keys.ts'],
      ['usage/inbound/a.ts', '../../app/wiring/application.ts'],
      ['app/operations/a.ts', '../../keys/operations.ts'],
      ['app/components/a.tsx', '../../keys/pages.ts'],
      ['app/domain/a.ts', '../outbound/team.ts'],
    ].map(([path, from]): [string, string] => [
      `services/dashboard/src/${path}`,
      `import { a } from '${from}';\nconsole.log(a);\n`,
    ]),
    ['services/dashboard/src/keys/operations/a.ts', `import { Long } from 'mongodb';\nconsole.log(Long);\n`],
    ['libs/clock/src/a.ts', `const a = await import('@shopscope/keys');\nconsole.log(a);\n`],
    ['services/gateway/src/endpoints/jobs/contract.ts', `export { a } from '../../keys/caller.ts';\n`],
    ['services/gateway/src/endpoints/jobs/jobs.ts', `export { a } from './endpoint.ts';\n`],
    ['services/gateway/src/limits/a.ts', `export { a } from '../endpoints/cursor.ts';\n`],
    ['services/gateway/src/http/a.ts', `export { a } from '../endpoints/dependencies.ts';\n`],
  ];
  it.each(forbidden)('the import rules refuse in %s: %s', async (path, source) => {
    expect(await lint(path, source)).toContain('noRestrictedImports');
  });

  const allowed: [path: string, source: string][] = [
    ['services/keys/src/inbound/grpc/a.ts', `import { a } from '../../operations/a.ts';\nconsole.log(a);\n`],
    ['services/keys/src/operations/a.ts', `import { a } from '../domain/a.ts';\nconsole.log(a);\n`],
    ...[
      ['usage/pages/a.tsx', '../../keys/pages.ts'],
      ['usage/operations/a.ts', '../../keys/operations.ts'],
      ['usage/operations/a.ts', '../../app/wiring/dependencies.ts'],
      ['usage/domain/a.ts', '../../keys/domain.ts'],
      ['usage/pages/a.tsx', '../../app/components/time.tsx'],
      ['keys/outbound/a.ts', '../../app/outbound/call.ts'],
      ['app/wiring/a.ts', '../../keys/operations/keys.ts'],
    ].map(([path, from]): [string, string] => [
      `services/dashboard/src/${path}`,
      `import { a } from '${from}';\nconsole.log(a);\n`,
    ]),
    ['tools/dev-env/src/a.ts', `import { a } from '@shopscope/keys';\nconsole.log(a);\n`],
    ['services/keys/src/outbound/mongo/a.ts', `import type { Db } from 'mongodb';\nexport type A = Db;\n`],
    ['libs/mongo/src/a.ts', `import type { Db } from 'mongodb';\nexport type A = Db;\n`],
  ];
  it.each(allowed)('the import rules allow in %s: %s', async (path, source) => {
    const said = await lint(path, source);
    expect(said).toContain('Checked 1 file');
    expect(said).not.toContain('noRestrictedImports');
  });

  it('the import rules refuse circular imports, of types too', async () => {
    const [first, second] = ['services/keys/src/domain/a.ts', 'services/keys/src/domain/b.ts'];
    await lint(second, `import type { A } from './a.ts';\nexport type B = A[];\n`);
    expect(await lint(first, `export type A = string;\n`)).not.toContain('noImportCycles');
    expect(await lint(first, `import type { B } from './b.ts';\nexport type A = B[];\n`)).toContain('noImportCycles');
  });

  it('the import rules keep the environment in config.ts', async () => {
    const source = 'export const home = process.env.HOME;\n';
    expect(await lint('services/keys/src/operations/a.ts', source)).toContain('noProcessEnv');
    expect(await lint('services/keys/src/config.ts', source)).not.toContain('noProcessEnv');
  });
});
