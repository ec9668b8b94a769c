import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

/** A checkout without installed packages, and an npm that refuses the lock file as `npm ci` does, and would change it otherwise. */
describe('installing the packages', () => {
  let checkout: string;
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'install-'));
    for (const file of [
      'package.json',
      'package-lock.json',
      'tools/local/bootstrap.mjs',
      'tools/local/prerequisites.mjs',
    ]) {
      mkdirSync(dirname(join(checkout, file)), { recursive: true });
      cpSync(join(root, file), join(checkout, file));
    }
    mkdirSync(join(checkout, 'bin'));
    const npm = `#!/bin/sh
echo "$1" >> ${checkout}/calls
case $1 in
  --version) echo 11.6.2 ;;
  ci) echo 'npm error code EUSAGE'; echo 'npm error \`npm ci\` can only install packages when they are in sync'; exit 1 ;;
  *) echo '{}' > ${checkout}/package-lock.json; mkdir -p ${checkout}/node_modules ;;
esac
`;
    writeFileSync(join(checkout, 'bin/npm'), npm);
    chmodSync(join(checkout, 'bin/npm'), 0o755);
  });
  afterEach(() => rmSync(checkout, { recursive: true, force: true }));

  it('an install of the packages fails when it would change package-lock.json, and leaves the lock file as it is', async () => {
    const before = readFileSync(join(checkout, 'package-lock.json'));
    const env = { PATH: [join(checkout, 'bin'), '/usr/bin', '/bin'].join(delimiter) };
    const { code, output } = await new Promise<{ code: unknown; output: string }>((done) => {
      const script = join(checkout, 'tools/local/bootstrap.mjs');
      execFile(process.execPath, [script, 'check:manifests'], { env }, (error, stdout, stderr) =>
        done({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });
    expect([code, output]).toEqual([1, expect.stringContaining('package-lock.json')]);
    expect(readFileSync(join(checkout, 'calls'), 'utf8').split('\n')).toEqual(['--version', 'ci', '']);
    expect(readFileSync(join(checkout, 'package-lock.json')).equals(before)).toBe(true);
    expect(existsSync(join(checkout, 'node_modules'))).toBe(false);
  });
});
