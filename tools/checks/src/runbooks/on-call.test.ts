import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { nightlyUnless } from '@shopscope/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Runs the functions of the runbooks like an engineer on call, without a running system and with a fake kubectl. */
const root = resolve(import.meta.dirname, '../../../..');

describe('functions of the runbooks', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'on-call-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const call = (command: string, env: Record<string, string> = {}) =>
    new Promise<{ code: number; out: string; err: string }>((done) => {
      const options = {
        cwd: root,
        env: {
          HOME: process.env.HOME,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
          SHOPSCOPE_LOCAL_DIR: folder,
          ...env,
        },
      };
      execFile('bash', ['-c', `. deploy/runbooks/on-call.sh; ${command}`], options, (error, out, err) =>
        done({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  const local = (command: string) => call(command, { WHERE: 'local' });

  // By day, two of them stand for the commands that read ready.json, one for those that read logs.
  for (const command of [
    'admin gateway readyz',
    'ready gateway',
    'metric metering lag',
    'logs gateway',
    'follow 01KANDXV3W9P4NSBQ7G8E2HM5T',
    'mongo_url keys',
    'redis_url',
    'brokers',
    'dlq list',
  ]) {
    const title = `the functions of the runbooks fail for ${command} with one sentence and a status when no local system runs`;
    it(title, nightlyUnless(['ready gateway', 'logs gateway', 'mongo_url keys'].includes(command)), async () => {
      const { code, out, err } = await local(command);
      const lines = err.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'));
      expect([code, out, lines.length]).toEqual([1, '', 1]);
      expect(lines[0]).toMatch(/^(No running system is recorded in|There are no logs of) .*npm start.*\.$/);
    });
  }

  it('the functions of the runbooks find the services of a local system, and report a missing one', async () => {
    const services = { gateway: [{ admin_url: 'http://127.0.0.1:1' }] };
    const stack = { kafka: { brokers: '127.0.0.1:9' }, mongodb: { url: 'mongodb://127.0.0.1:7/' } };
    writeFileSync(join(folder, 'ready.json'), JSON.stringify({ services, stack }));
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs/gateway.log'), '{"level":"info","id":"a1"}\n{"level":"error","id":"a2"}\n');
    expect(await local('brokers')).toMatchObject({ code: 0, out: '127.0.0.1:9\n' });
    expect(await local('mongo_url keys')).toMatchObject({ code: 0, out: 'mongodb://127.0.0.1:7/\n' });
    expect(await local('logs gateway')).toMatchObject({ code: 0, out: '{"level":"error","id":"a2"}\n' });
    expect(await local('follow a1')).toMatchObject({ code: 0, out: '{"level":"info","id":"a1"}\n' });
    expect(await local('ready gateway')).toMatchObject({ code: 1, out: '== http://127.0.0.1:1\n' });
    expect(await local('ready gatway')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/names no services gatway\.$/m),
    });
  });

  for (const command of ['follow', 'logs', 'ready', 'metric gateway', 'mongo_url', 'charge']) {
    const title = `the functions of the runbooks print the usage for ${command}, which lacks an argument`;
    it(title, nightlyUnless(['logs', 'metric gateway'].includes(command)), async () => {
      mkdirSync(join(folder, 'logs'));
      writeFileSync(join(folder, 'logs/gateway.log'), '{"level":"error"}\n');
      const { code, out, err } = await local(command);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(new RegExp(`^Usage: ${command.split(' ')[0]} [^\n]+\n$`));
    });
  }

  it('the runbook function metric prints the URL of an instance that does not respond, and the metrics of the others', async () => {
    const server = createServer((_, response) => response.end('# HELP lag\nlag 3\nother 1\n')).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const up = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const gateway = [{ admin_url: 'http://127.0.0.1:1' }, { admin_url: up }];
      writeFileSync(join(folder, 'ready.json'), JSON.stringify({ services: { gateway } }));
      expect(await local('metric gateway lag')).toMatchObject({
        code: 1,
        out: `== http://127.0.0.1:1\n== ${up}\nlag 3\n`,
      });
    } finally {
      server.close();
    }
  });

  it.each(['a cluster', 'a local system'])(
    'the runbook function ready gives up an instance that does not respond, and asks the next one, in %s',
    async (where) => {
      const servers = [0, 1].map(() => createServer(() => {}).listen(0, '127.0.0.1'));
      try {
        await Promise.all(servers.map((server) => once(server, 'listening')));
        const ports = servers.map((server) => (server.address() as AddressInfo).port);
        const gateway = ports.map((port) => ({ admin_url: `http://127.0.0.1:${port}` }));
        writeFileSync(join(folder, 'ready.json'), JSON.stringify({ services: { gateway } }));
        mkdirSync(join(folder, 'bin'));
        // Runs on this machine what kubectl runs in a pod. The name of a pod is its port.
        const script = `#!/bin/bash
case "$*" in
  config*) echo a-cluster ;;
  *'get pods'*) printf 'pod/%s\\n' ${ports.join(' ')} ;;
  *) ADMIN_PORT=\${4#pod/} exec "\${@:6}" ;;
esac
`;
        writeFileSync(join(folder, 'bin/kubectl'), script);
        chmodSync(join(folder, 'bin/kubectl'), 0o755);
        const isLocal = where === 'a local system';
        const { code, out, err } = await call('ready gateway', {
          ADMIN_TIMEOUT: '0.2',
          ...(isLocal && { WHERE: 'local' }),
        });
        const names = ports.map((port) => (isLocal ? `http://127.0.0.1:${port}` : `pod/${port}`));
        expect([code, out]).toEqual([1, names.map((name) => `== ${name}\n`).join('')]);
        expect(err.match(isLocal ? /timed out/g : /^No response within 0\.2 s\.$/gm)).toHaveLength(2);
      } finally {
        for (const server of servers) {
          server.closeAllConnections();
          server.close();
        }
      }
    },
  );

  it('the runbook function follow prints the log lines of a request from all services by time', async () => {
    const line = (time: string, msg: string) =>
      `${JSON.stringify({ level: 'info', time: `2026-11-22T04:00:0${time}Z`, requestId: 'req_1', msg })}\n`;
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs/gateway.log'), line('1.000', 'first') + line('4.000', 'fourth'));
    writeFileSync(join(folder, 'logs/metering.log'), `${line('2.000', 'second')}{"requestId":"req_2"}\n`);
    writeFileSync(join(folder, 'logs/scanner.log'), line('3.000', 'third'));
    const { code, out } = await local('follow req_1');
    const told = out.trim().split('\n');
    expect([code, told.map((each) => JSON.parse(each).msg)]).toEqual([0, ['first', 'second', 'third', 'fourth']]);
  });

  it('the runbook function follow reports in one sentence that no line has an id, and matches the id as text, not as a pattern', async () => {
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs/gateway.log'), '{"level":"info","id":"abc"}\n');
    const { code, out, err } = await local('follow a.c');
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(
      `No log line of ${folder}/logs has a.c; free successes are logged at debug (LOG_SUCCESS_PERCENT of them at info).\n`,
    );
  });

  // By day, the command that starts a tool and the one that starts a pod stand for all.
  for (const command of [
    'ready gateway',
    'metric gateway lag',
    'logs gateway',
    'follow req_1',
    'mongo_url keys',
    'redis_url',
    'brokers',
    'kafka topics --list',
    'dlq list',
  ]) {
    const title = `the functions of the runbooks fail for ${command} with one sentence that names WHERE=local when kubectl has no context`;
    it(title, nightlyUnless(['kafka topics --list', 'dlq list'].includes(command)), async () => {
      const asked = join(folder, 'asked');
      mkdirSync(join(folder, 'bin'));
      writeFileSync(
        join(folder, 'bin/kubectl'),
        `#!/bin/sh\n[ "$1" = config ] || echo "$@" >>${asked}\necho no context >&2\nexit 1\n`,
      );
      chmodSync(join(folder, 'bin/kubectl'), 0o755);
      const none = await call(command);
      expect([none.code, none.out]).toEqual([1, '']);
      expect(none.err).toMatch(/^kubectl has no context; [^\n]* WHERE=local [^\n]*\.\n$/);
      writeFileSync(join(folder, 'ready.json'), '{}');
      const { code, err } = await call(command);
      expect([code, err]).toEqual([
        1,
        `kubectl has no context, and ${folder}/ready.json records a local system; set WHERE=local to ask that system.\n`,
      ]);
      expect(existsSync(asked)).toBe(false);
    });
  }

  /** A fake kubectl that records its arguments, returns the image of metering, and ends a pod with `code`. */
  const kubectl = (image: string, code = 0, mechanism = 'SCRAM-SHA-512') => {
    const recorded = join(folder, 'recorded.json');
    mkdirSync(join(folder, 'bin'));
    const script = `#!${process.execPath}
const [, , ...args] = process.argv;
if (process.argv[2] === 'config') process.stdout.write('a-cluster');
else if (args.includes('configmap')) process.stdout.write(${JSON.stringify(mechanism)});
else if (args.includes('get')) process.stdout.write(${JSON.stringify(image)});
else {
  require('fs').writeFileSync(${JSON.stringify(recorded)}, JSON.stringify(args));
  process.exit(${code});
}`;
    writeFileSync(join(folder, 'bin/kubectl'), script);
    chmodSync(join(folder, 'bin/kubectl'), 0o755);
    return () => (existsSync(recorded) ? (JSON.parse(readFileSync(recorded, 'utf8')) as string[]) : undefined);
  };
  const overridesOf = (args: string[] | undefined) =>
    JSON.parse(args?.find((arg) => arg.startsWith('--overrides='))?.slice('--overrides='.length) ?? 'null');

  it('the runbook function kafka runs its tools as the user of ADMIN_PROPERTIES, if set', async () => {
    writeFileSync(join(folder, 'ready.json'), JSON.stringify({ stack: { kafka: { brokers: '127.0.0.1:9' } } }));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/kafka-topics.sh'), '#!/bin/sh\necho "$@"\n');
    chmodSync(join(folder, 'bin/kafka-topics.sh'), 0o755);
    const topics = async (env: Record<string, string>) =>
      (await call('kafka topics --list', { WHERE: 'local', ...env })).out.trim();
    expect(await topics({})).toBe('--bootstrap-server 127.0.0.1:9 --list');
    expect(await topics({ ADMIN_PROPERTIES: 'my admin' })).toBe(
      '--bootstrap-server 127.0.0.1:9 --command-config my admin --list',
    );
    const runbooks = globSync('deploy/runbooks/*.md', { cwd: root }).map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    expect(runbooks.filter((text) => /kafka-[a-z-]+\.sh/.test(text))).toEqual([]);
  });

  it('the runbook function dlq runs without credentials when the cluster has no Secret for them', async () => {
    const recorded = kubectl('shopscope/metering:0.1.0', 0, '');
    expect(await call('dlq list')).toMatchObject({ code: 0, err: '' });
    expect(overridesOf(recorded()).spec.containers[0]).toMatchObject({ args: ['list'], env: [] });
  });

  it('the runbook function dlq runs in a pod of the dlq image, with the password from its Secret and not in an argument', async () => {
    const recorded = kubectl('registry.example:5000/shopscope/metering:1.2.3');
    expect(await call(`dlq replay usage.v1 --most 5 --yes`)).toMatchObject({ code: 0, err: '' });
    const args = recorded();
    expect(args).toEqual(expect.arrayContaining(['run', '--rm', '-i', '--restart=Never']));
    expect(args).toContain('--image=registry.example:5000/shopscope/dlq:1.2.3');
    const { metadata, spec } = overridesOf(args);
    expect(metadata.labels['app.kubernetes.io/name']).toBe('dlq');
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          image: 'registry.example:5000/shopscope/dlq:1.2.3',
          args: ['replay', 'usage.v1', '--most', '5', '--yes'],
          envFrom: [
            { configMapRef: { name: 'shopscope' } },
            { configMapRef: { name: 'data-authorities', optional: true } },
          ],
          env: [
            { name: 'KAFKA_SASL_USERNAME', value: 'replay-dead-letters' },
            {
              name: 'KAFKA_SASL_PASSWORD',
              valueFrom: { secretKeyRef: { name: 'replay-dead-letters', key: 'KAFKA_SASL_PASSWORD' } },
            },
            {
              name: 'REPLAY_SIGNING_KEY',
              valueFrom: {
                secretKeyRef: { name: 'replay-dead-letters', key: 'REPLAY_SIGNING_KEY', optional: true },
              },
            },
            {
              name: 'PERMIT_PUBLIC_KEYS',
              valueFrom: { secretKeyRef: { name: 'profiles', key: 'PERMIT_PUBLIC_KEYS', optional: true } },
            },
          ],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    });
  });

  it('the runbook function dlq returns the exit code of the pod', async () => {
    kubectl('shopscope/metering', 3);
    expect((await call('dlq list')).code).toBe(3);
  });

  it('the runbook function dlq requires its image when the image of metering is pinned by digest', async () => {
    const recorded = kubectl('shopscope/metering@sha256:0badc0de');
    expect(await call('dlq list')).toMatchObject({ code: 1, err: expect.stringContaining('set DLQ_IMAGE') });
    expect(recorded()).toBeUndefined();
    expect((await call('dlq list', { DLQ_IMAGE: 'shopscope/dlq@sha256:1' })).code).toBe(0);
    expect(overridesOf(recorded()).spec.containers[0].image).toBe('shopscope/dlq@sha256:1');
  });
});
