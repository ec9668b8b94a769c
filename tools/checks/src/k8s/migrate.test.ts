import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceConfigs } from '../service-configs.ts';

const root = resolve(import.meta.dirname, '../../../..');

describe('migrate.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'migrate-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Each Job ends as the next line of `ends` says. An empty line is a Job that still runs, and `deleted` one that does not exist. */
  const run = (args: string[], ends: string[]) => {
    writeFileSync(join(folder, 'ends'), `${ends.join('\n')}\n`);
    const kubectl = `printf '%s ' "$@" >>calls; echo >>calls
    case "$*" in
      *"get cronjob"*) printf example/keys:0.2.0 ;;
      *"get job"*--ignore-not-found*)
        end=$(head -1 ends); sed -i 1d ends
        [ "$end" = deleted ] || echo "Job $end" ;;
      *"get pods"*) echo pod/migrate-keys-1-abcde ;;
      *"logs pod"*) echo '{"done":1,"total":2}' ;;
    esac`;
    const script = join(root, 'deploy/k8s/migrate.sh');
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', `kubectl() { ${kubectl}; }; export -f kubectl; exec "$0" "$@"`, script, ...args],
      { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH ?? '', POLL_SECONDS: '0' }, timeout: 20_000 },
    );
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    const created = calls.flatMap((call) => /create job (\S+) --from=cronjob\/(\S+)/.exec(call)?.slice(1) ?? []);
    return { status, stdout, stderr, created };
  };

  it('migrate.sh makes a Job with a new name from the template of each named service, shows its log once and waits for its end', () => {
    const { status, stdout, stderr, created } = run(['keys', 'metering'], ['', '', 'Complete', 'Complete']);
    expect(created).toEqual([
      expect.stringMatching(/^migrate-keys-\d+$/),
      'migrate-keys',
      expect.stringMatching(/^migrate-metering-\d+$/),
      'migrate-metering',
    ]);
    expect([status, stdout]).toEqual([0, '{"done":1,"total":2}\n']);
    expect(stderr).toContain('example/keys:0.2.0');
  });

  it('migrate.sh ends at the first failed Job and names the command for its log', () => {
    const { status, stderr, created } = run(['keys', 'metering'], ['FailureTarget Failed']);
    expect([status, created.length]).toEqual([1, 2]);
    expect(stderr).toMatch(/migrate-keys-\d+ failed\. Its log: kubectl -n shopscope logs job\/migrate-keys-\d+/);
  });

  it('migrate.sh ends when its Job was deleted', () => {
    const { status, stderr, created } = run(['keys', 'metering'], ['', 'deleted']);
    expect([status, created.length]).toEqual([1, 2]);
    expect(stderr).toMatch(/migrate-keys-\d+ was deleted before its end/);
  });

  it('migrate.sh migrates every service when none is named', () => {
    const names = Object.keys(serviceConfigs);
    const { created } = run(
      [],
      names.map(() => 'Complete'),
    );
    expect(created.filter((_, at) => at % 2 === 1).sort()).toEqual(names.map((name) => `migrate-${name}`).sort());
  });
});
