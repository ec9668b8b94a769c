import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cachedPrograms } from '@shopscope/local-stack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');
const prerequisites = await import(join(root, 'tools/local/prerequisites.mjs'));

/** A machine whose PATH has only the programs of the test. */
describe('prerequisites of a command', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'prerequisites-'));
    path = join(folder, 'bin');
    mkdirSync(path);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const program = (name: string, body: string) => {
    writeFileSync(join(path, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(path, name), 0o755);
  };
  const everything = () => {
    program('npm', 'echo 11.6.2');
    program('python3', 'echo Python 3.11.2');
    program('java', 'echo "openjdk 17.0.15 2025-04-15"');
    program('mvn', 'echo Apache Maven 3.8.7');
    program('javac', 'echo javac 17.0.15');
  };
  /** Runs the real command without the containers and servers of this machine. */
  const bootstrap = (args: string[], env: Record<string, string> = {}) =>
    new Promise<{ code: number; output: string }>((done) => {
      const options = {
        cwd: root,
        env: { PATH: path, SHOPSCOPE_STACK: 'native', SHOPSCOPE_LOCAL_DIR: folder, ...env },
      };
      execFile(process.execPath, ['tools/local/bootstrap.mjs', ...args], options, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      );
    });

  it('the prerequisites of a command are reported all together, each with its remedy, before anything is installed or started', async () => {
    program('java', 'echo "openjdk 11.0.2 2019-01-15"');
    program('python3', '[ "$1" = --version ] && echo Python 3.11.2');
    expect(await bootstrap(['start'])).toEqual({
      code: 1,
      output: `npm start needs what this machine does not have (names of Debian packages; nothing was installed):
  npm: install npm
  Python 3's pip: install python3-pip
  a JDK of version 17 or newer (found: 11): install openjdk-17-jdk-headless or a newer one, or set SHOPSCOPE_KAFKA_BROKERS and SHOPSCOPE_OPENSEARCH_URL
  Maven: install maven, or set SHOPSCOPE_KAFKA_BROKERS and SHOPSCOPE_OPENSEARCH_URL
  javac, the compiler of a JDK: install openjdk-17-jdk-headless or a newer one, or set SHOPSCOPE_OPENSEARCH_URL
`,
    });
    expect(existsSync(join(folder, 'running.pid'))).toBe(false);
  });

  it('the prerequisites of continuous integration include Go and a newer Python', async () => {
    everything();
    program('python3', 'case "$1" in -c) echo False ;; *) echo Python 3.9.2 ;; esac');
    const { code, output } = await bootstrap(['setup']);
    expect([code, output.split('\n').slice(1, -1)]).toEqual([
      1,
      [
        '  Go, which .ci/run needs: install golang-go',
        '  Python 3.11 or newer with venv, which .ci/run needs: install python3 and python3-venv',
      ],
    ]);
  });

  const missing = async (over: Record<string, unknown> = {}, env: Record<string, string> = {}) => {
    const before = process.env.PATH;
    process.env.PATH = path;
    try {
      return (await prerequisites.missingPrerequisites({
        env: { SHOPSCOPE_STACK: 'native', ...env },
        cacheDir: join(folder, 'cache'),
        installed: true,
        stack: true,
        ci: false,
        version: '24.1.0',
        platform: 'linux-x64',
        ...over,
      })) as string[];
    } finally {
      process.env.PATH = before;
    }
  };
  const what = (lines: string[]) => lines.map((line) => line.split(/[ :(]/)[0]);

  it('the prerequisites of a command are not reported on a machine that has them all', async () => {
    everything();
    expect(await missing()).toEqual([]);
  });

  it('the prerequisites of a command without servers are only npm while packages are missing', async () => {
    expect(what(await missing({ stack: false, installed: false }))).toEqual(['npm']);
    expect(await missing({ stack: false })).toEqual([]);
  });

  it('the prerequisites of a command do not include programs for servers from another source', async () => {
    program('npm', 'echo 11.6.2');
    const [mongodb, kafka, redis, opensearch] = [
      { SHOPSCOPE_MONGODB_URL: 'mongodb://a/' },
      { SHOPSCOPE_KAFKA_BROKERS: 'a:9092' },
      { SHOPSCOPE_REDIS_URL: 'redis://a/' },
      { SHOPSCOPE_OPENSEARCH_URL: 'http://a/' },
    ];
    expect(what(await missing({}, { ...mongodb, ...redis, ...opensearch }))).toEqual(['a', 'Maven']);
    expect(what(await missing({}, { ...mongodb, ...kafka, ...redis }))).toEqual(['a', 'Maven', 'javac,']);
    expect(what(await missing({}, { ...kafka, ...redis, ...opensearch }))).toEqual(['Python']);
    const all = { ...mongodb, ...kafka, ...redis, ...opensearch };
    expect(await missing({}, all)).toEqual([]);
    expect(what(await missing({}, { ...all, SHOPSCOPE_SECURED: 'true' }))).toHaveLength(4);
  });

  it('the prerequisites of a command do not include programs that download cached servers', async () => {
    program('npm', 'echo 11.6.2');
    for (const name of Object.values(cachedPrograms)) mkdirSync(join(folder, 'cache', name), { recursive: true });
    expect(await missing()).toEqual([
      'a JDK of version 17 or newer: install openjdk-17-jdk-headless or a newer one, or set SHOPSCOPE_KAFKA_BROKERS and SHOPSCOPE_OPENSEARCH_URL',
    ]);
  });

  it('the prerequisites of a command do not include pip when a new enough Redis is on PATH', async () => {
    everything();
    rmSync(join(path, 'python3'));
    program('redis-server', 'echo "Redis server v=7.2.4 sha=0"');
    const mongodb = { SHOPSCOPE_MONGODB_URL: 'mongodb://a/' };
    expect(await missing({}, mongodb)).toEqual([]);
    program('redis-server', 'echo "Redis server v=6.0.16 sha=0"');
    expect(what(await missing({}, mongodb))).toEqual(['Python']);
  });

  it('the prerequisites of a command are met by a Docker engine that responds at its socket', async () => {
    program('npm', 'echo 11.6.2');
    const env = { SHOPSCOPE_STACK: '', XDG_RUNTIME_DIR: folder, HOME: folder };
    const engine = createServer((request, response) => response.end(request.url === '/_ping' ? 'OK' : ''));
    await new Promise<void>((done) => engine.listen(join(folder, 'docker.sock'), done));
    expect(await missing({}, env)).toEqual([]);
    await new Promise((done) => engine.close(done));
  });

  it('the prerequisites of a command name the platform when native servers do not run on it', async () => {
    program('npm', 'echo 11.6.2');
    const lines = await missing({ platform: 'darwin-arm64' });
    expect(lines).toEqual([
      expect.stringMatching(/^Linux x64 for native servers \(found: darwin-arm64\): start a Docker/),
    ]);
  });

  it('the prerequisites of a command report a Node that is too old, and Node 24 where no package has it', async () => {
    everything();
    expect(await missing({ version: '18.19.0' })).toEqual([
      expect.stringContaining('Node 20 or newer (found: 18.19.0)'),
    ]);
    expect(await missing({ version: '20.1.0' })).toEqual([]);
    expect(await missing({ version: '22.1.0', platform: 'linux-riscv64' })).toContainEqual(
      expect.stringContaining('Node 24 or newer on linux-riscv64'),
    );
  });

  it('the prerequisites of a command use the names of programs that the local stack has in its cache', () => {
    expect(prerequisites.cachedPrograms).toEqual(cachedPrograms);
  });
});
