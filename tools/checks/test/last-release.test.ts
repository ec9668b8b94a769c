import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { releasedContract } from '../../../packages/client/test/released-contract.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('contracts of the last release', () => {
  let repository: string;
  beforeEach(() => {
    repository = mkdtempSync(join(tmpdir(), 'last-release-'));
    git('init', '--quiet');
    for (const script of ['last-release', 'no-breaking-change']) {
      cpSync(join(root, '.ci', script), join(repository, '.ci', script), { recursive: true });
    }
    commit('0', ['string name', 'string other']);
  });
  afterEach(() => rmSync(repository, { recursive: true, force: true }));

  function git(...args: string[]): void {
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@shopscope.example', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...author, ...args], { cwd: repository, stdio: 'pipe' });
  }

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }

  /** A commit whose contracts have this version and these fields of a message. */
  function commit(version: string, fields: readonly string[]): void {
    const members = fields.map((field, at) => `  ${field} = ${at + 1};\n`).join('');
    write('proto/buf.yaml', 'version: v2\nbreaking:\n  use: [FILE]\n');
    write('proto/a.proto', `syntax = "proto3";\npackage a;\nmessage A {\n${members}}\n`);
    write('docs/openapi.json', JSON.stringify({ info: { version }, paths: {}, components: { schemas: {} } }));
    git('add', '.');
    git('commit', '--quiet', '--message', version);
  }

  function compare() {
    const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH: path };
    const { status, stdout } = spawnSync(join(repository, '.ci/no-breaking-change'), { env, encoding: 'utf8' });
    return { status, lines: stdout.trim().split('\n') };
  }

  it('contracts before the first release are compared with nothing, which one line says', () => {
    commit('1', ['string name']);
    expect(compare()).toEqual({ status: 0, lines: ['Compared with nothing: no release comes before this commit.'] });
    expect(releasedContract(repository)).toBeUndefined();
  });

  it('a field that was removed since the last release is refused, even when the commit before has removed it', () => {
    git('tag', 'v0.1.0');
    commit('1', ['string name']);
    commit('2', ['string name']);
    const { status, lines } = compare();
    expect([status, lines[0]]).toEqual([100, 'Compared with v0.1.0.']);
    expect(lines[1]).toContain('"other"');
    expect(releasedContract(repository)).toMatchObject({ tag: 'v0.1.0', contract: { info: { version: '0' } } });
  });

  it('a field added since the last release is accepted, and the commit of a release is compared with the release before', () => {
    git('tag', 'v0.1.0');
    commit('1', ['string name', 'string other', 'string further']);
    git('tag', 'v0.2.0');
    expect(compare()).toEqual({ status: 0, lines: ['Compared with v0.1.0.'] });
    commit('2', ['string name', 'string other', 'string further']);
    expect(compare()).toEqual({ status: 0, lines: ['Compared with v0.2.0.'] });
  });
});
