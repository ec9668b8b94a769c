import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

describe('admin.sh', () => {
  const kubectl = `case "$*" in
    *"get deployment"*) printf %s "$GATEWAY_IMAGE" ;;
    *"get secret"*) return "$NO_CERTIFICATE" ;;
    *) printf '%s\\0' "$@" ;;
  esac`;
  const run = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(
      'bash',
      ['-c', `kubectl() { ${kubectl}; }; export -f kubectl; exec "$0" "$@"`, 'deploy/k8s/admin.sh', ...args],
      {
        cwd: root,
        encoding: 'utf8',
        env: { PATH: process.env.PATH ?? '', GATEWAY_IMAGE: 'ghcr.io/a/gateway:1.2.3', NO_CERTIFICATE: '0', ...env },
      },
    );
  const argumentsOf = (stdout: string) => stdout.split('\0').slice(0, -1);
  const overridesOf = (given: string[]) => {
    const text = given.find((each) => each.startsWith('--overrides='))?.slice('--overrides='.length);
    return JSON.parse(text ?? '').spec;
  };

  it('admin.sh passes the arguments unchanged to the command, in a pod that network policies select', () => {
    const given = argumentsOf(run(['setup', '--workspace', "Ann's shop"], { ACTOR: 'operator:ann' }).stdout);
    expect(given.slice(given.indexOf('--') + 1)).toEqual([
      'setup',
      '--workspace',
      "Ann's shop",
      '--actor',
      'operator:ann',
    ]);
    expect(given).toContain('--image=ghcr.io/a/admin:1.2.3');
    expect(given.find((each) => each.startsWith('--labels='))).toContain('app.kubernetes.io/name=admin');
  });

  it('admin.sh mounts the operator certificate if it exists, and meets restricted pod security with and without it', () => {
    for (const [none, files] of [
      ['0', 3],
      ['1', 0],
    ] as const) {
      const spec = overridesOf(argumentsOf(run(['workspace', 'list'], { NO_CERTIFICATE: none }).stdout));
      const [container] = spec.containers;
      expect(container.env).toHaveLength(files);
      expect(spec.volumes).toHaveLength(files / 3);
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('admin.sh requires the image when the gateway is pinned by digest', () => {
    const { status, stderr } = run(['workspace', 'list'], { GATEWAY_IMAGE: 'ghcr.io/a/gateway@sha256:0123' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('set IMAGE')]);
  });
});
