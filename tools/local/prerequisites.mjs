// Checks the prerequisites of a command, all at once and before anything is installed. So a missing JDK is not reported
// after long downloads. It uses only built-in modules of Node 20, as bootstrap.mjs.
// - A program is missing or too old -> one line with the found version and the remedy.
// - A server has another source (SHOPSCOPE_*_URL, a Docker engine, the cache) -> its programs are not required.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Names of the downloaded programs in the cache. A test compares them with @shopscope/local-stack. */
export const cachedPrograms = {
  mongodb: 'mongod-6.0.5',
  redis: 'redis-server-8.2.3',
  kafka: 'kafka-4.1.0',
  opensearch: 'opensearch-2.19.6',
};

const probeTimeoutMs = 15_000;
const pingTimeoutMs = 2_000;
const nodePlatforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/**
 * One sentence without its full stop per missing prerequisite; empty when none is missing.
 * `stack`: whether the command starts MongoDB, Kafka, Redis and OpenSearch. `ci`: whether it is the set-up of `.ci/run`.
 */
export async function missingPrerequisites({ env, cacheDir, installed, stack, ci, version, platform }) {
  const asked = [
    nodeProblem(version, platform),
    ...(installed && !stack ? [] : [unlessInstalled('npm', ['--version'], 'npm: install npm')]),
  ];
  if (stack) asked.push(...(await stackProblems(env, cacheDir, platform)));
  const go = 'Go, which .ci/run needs: install golang-go';
  if (ci) asked.push(unlessInstalled('go', ['version'], go), newPythonProblem());
  return [...new Set((await Promise.all(asked)).filter(Boolean))];
}

function nodeProblem(version, platform) {
  const major = Number(version.split('.')[0]);
  if (major >= 24 || (major >= 20 && nodePlatforms.includes(platform))) return undefined;
  const needed = nodePlatforms.includes(platform) ? '20 or newer' : `24 or newer on ${platform}`;
  return `Node ${needed} (found: ${version}): install it from https://nodejs.org/`;
}

/** Undefined when the program answers. */
const unlessInstalled = async (command, args, problem) => ((await output(command, args)) ? undefined : problem);

async function stackProblems(env, cacheDir, platform) {
  const own = {
    mongodb: !env.SHOPSCOPE_MONGODB_URL,
    kafka: !env.SHOPSCOPE_KAFKA_BROKERS,
    redis: !env.SHOPSCOPE_REDIS_URL,
    opensearch: !env.SHOPSCOPE_OPENSEARCH_URL,
  };
  const secured = env.SHOPSCOPE_SECURED === 'true';
  if (!Object.values(own).includes(true) && !secured) return [];
  if (!secured && env.SHOPSCOPE_STACK !== 'native' && (await isDockerAvailable(env))) return [];
  const isCached = (name) => existsSync(join(cacheDir, cachedPrograms[name]));
  const fetched = (name) => (own[name] || secured) && !isCached(name);
  const needed = Object.keys(onJava).filter((name) => own[name] || secured);
  const byMaven = needed.filter(fetched);
  const byPip = fetched('mongodb') || (fetched('redis') && !(await hasRedis()));
  const elsewhere =
    'start a Docker engine, or set SHOPSCOPE_MONGODB_URL, SHOPSCOPE_KAFKA_BROKERS, SHOPSCOPE_REDIS_URL and SHOPSCOPE_OPENSEARCH_URL';
  if (byPip && platform !== 'linux-x64') return [`Linux x64 for native servers (found: ${platform}): ${elsewhere}`];
  return [
    ...(byPip ? [pipProblem()] : []),
    ...(needed.length > 0 ? [javaProblem(variablesOf(needed))] : []),
    ...(byMaven.length > 0
      ? [unlessInstalled('mvn', ['--version'], `Maven: install maven, or set ${variablesOf(byMaven)}`)]
      : []),
    ...(fetched('opensearch') ? [unlessInstalled('javac', ['--version'], javacProblem)] : []),
  ];
}

async function pipProblem() {
  if (!(await output('python3', ['--version']))) return 'Python 3 with pip: install python3 and python3-pip';
  return unlessInstalled('python3', ['-m', 'pip', '--version'], "Python 3's pip: install python3-pip");
}

/** The servers that run on Java, and the variables that name running ones. */
const onJava = { kafka: 'SHOPSCOPE_KAFKA_BROKERS', opensearch: 'SHOPSCOPE_OPENSEARCH_URL' };
const variablesOf = (names) => names.map((name) => onJava[name]).join(' and ');

const javacProblem =
  'javac, the compiler of a JDK: install openjdk-17-jdk-headless or a newer one, or set SHOPSCOPE_OPENSEARCH_URL';

async function javaProblem(variables) {
  // `java --version` writes to standard output from Java 9 on.
  const answer = await output('java', ['--version']);
  const major = Number(/^\S+ (\d+)/.exec(answer ?? '')?.[1] ?? 0);
  if (major >= 17) return undefined;
  const found = major > 0 ? ` (found: ${major})` : '';
  return `a JDK of version 17 or newer${found}: install openjdk-17-jdk-headless or a newer one, or set ${variables}`;
}

async function newPythonProblem() {
  const isNew = await output('python3', ['-c', 'import sys, venv; print(sys.version_info >= (3, 11))']);
  return isNew === 'True'
    ? undefined
    : 'Python 3.11 or newer with venv, which .ci/run needs: install python3 and python3-venv';
}

async function hasRedis() {
  return Number(/v=(\d+)\./.exec((await output('redis-server', ['--version'])) ?? '')?.[1] ?? 0) >= 7;
}

/** True when an engine responds at one of the addresses that testcontainers tries. A DOCKER_HOST is not verified. */
async function isDockerAvailable(env) {
  if (env.DOCKER_HOST) return true;
  const sockets = [
    '/var/run/docker.sock',
    join(homedir(), '.docker/run/docker.sock'),
    join(homedir(), '.docker/desktop/docker.sock'),
  ];
  if (env.XDG_RUNTIME_DIR) sockets.push(join(env.XDG_RUNTIME_DIR, 'docker.sock'));
  return (await Promise.all(sockets.filter(existsSync).map(ping))).includes(true);
}

function ping(socketPath) {
  return new Promise((done) => {
    const asked = request({ socketPath, path: '/_ping', timeout: pingTimeoutMs }, (response) => {
      response.resume();
      done(response.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => done(false));
    asked.end();
  });
}

/** The trimmed standard output of a program; undefined when the program is missing or fails. */
function output(command, args) {
  return new Promise((done) => {
    execFile(command, args, { timeout: probeTimeoutMs }, (error, stdout) =>
      done(error ? undefined : stdout.trim() || 'ok'),
    );
  });
}
