// Runs every `npm run` command, on any Node from version 20. It checks the prerequisites, installs the packages when
// the lock file has changed, generates the contracts, finds Node 24 and runs the command with it. It uses only built-in
// modules of Node 20, because a fresh machine has nothing else.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingPrerequisites } from './prerequisites.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const localDir = resolve(root, process.env.SHOPSCOPE_LOCAL_DIR ?? '.local');
const cacheDir = resolve(root, process.env.SHOPSCOPE_CACHE_DIR ?? join(localDir, 'cache'));
const neededMajor = 24;
/** The folder of the caller. npm runs scripts in the root and provides the folder in a variable. */
const callersFolder = process.env.INIT_CWD ?? process.cwd();

/**
 * Command → the script that Node 24 runs.
 *
 * - `build`: the command needs the compiled services and the web application.
 * - `web`: the command needs the web application.
 * - `stack`: the command starts the data servers.
 * - `files`: its arguments are files, relative to the folder of the caller.
 * - `java`: the options of Java for the command.
 * - `brief`: its arguments when the caller gives none and this is not continuous integration.
 * - `suite`: the script in place of `script` and `args` when the caller gives no arguments in continuous integration.
 * - `ci`: the command is the set-up of `.ci/run`.
 */
const commands = {
  start: {
    script: 'tools/local/src/start/main.ts',
    build: true,
    stack: true,
    sweep: 'tools/local/src/start/sweep.ts',
  },
  // The brokers of tests end before the optimizing compiler has an effect.
  test: {
    script: 'node_modules/vitest/vitest.mjs',
    args: ['run'],
    // Whole systems take a quarter of the time of all tests. The tests of `.ci/nightly` rarely decide.
    brief: ['--project=!systems', '--tags-filter=!nightly'],
    suite: 'tools/local/src/test/main.ts',
    web: true,
    stack: true,
    java: '-XX:TieredStopAtLevel=1',
  },
  reset: { script: 'tools/local/src/start/reset.ts' },
  access: { script: 'deploy/access/src/main.ts', quiet: true },
  admin: { script: 'tools/admin/src/main.ts', quiet: true, files: true },
  dlq: { script: 'tools/dlq/src/main.ts', quiet: true },
  backup: { script: 'tools/backup/src/main.ts', quiet: true, files: true },
  certificates: { script: 'tools/local/src/certificates/main.ts', quiet: true },
  observe: { script: 'libs/fingerprint/src/observe.ts', quiet: true, files: true },
  accuracy: { script: 'lab/accuracy/src/main.ts', quiet: true, files: true },
  bench: { script: 'lab/bench/src/main.ts', build: true, stack: true },
  faults: { script: 'lab/faults/src/main.ts', web: true, stack: true },
  'check:api': { script: 'tools/checks/src/api/main.ts', build: true, stack: true },
  'check:images': { script: 'tools/checks/src/images/main.ts', stack: true },
  'check:n8n': { script: 'tools/checks/src/n8n/main.ts', build: true, stack: true },
  'check:manifests': { script: 'tools/checks/src/k8s/main.ts', quiet: true },
  'simulate:scans': { script: 'services/scan-scheduler/test/simulation/main.ts', quiet: true },
  'simulate:signals': { script: 'services/profiles/test/simulation/main.ts', quiet: true },
  'index-build': { script: 'tools/dev-env/src/index-build/main.ts', quiet: true },
  'time:restore': { script: 'tools/dev-env/src/restore-time/main.ts', stack: true },
  sizes: { script: 'tools/dev-env/src/sizes/main.ts', web: true, stack: true },
  screenshots: { script: 'tools/browser/src/main.ts', quiet: true, files: true },
  setup: { stack: true, ci: true },
};

async function main([name = '', ...rest]) {
  const command = commands[name];
  if (!command) fail(`There is no command "${name}"; there are ${Object.keys(commands).join(', ')}.`);
  const args = name === 'test' ? takeStackArguments(rest) : rest;
  const say = command.quiet ? () => {} : (line) => process.stderr.write(`${line}\n`);
  await needPrerequisites(name, command, args);
  await installPackages(say);
  const node = findNode();
  await generate(node, say);
  if (command.web) await generateWeb(node, say);
  if (command.build) await build(node, say);
  if (!command.script) return 0;
  // Every process of the command compiles the same sources. With the cache, a service starts in half the time.
  process.env.NODE_COMPILE_CACHE ??= join(cacheDir, 'compiled');
  if (command.java) process.env.JDK_JAVA_OPTIONS ??= command.java;
  // A relative SHOPSCOPE_LOCAL_DIR, and its default, are relative to the root and not to the caller's folder.
  const elsewhere = { cwd: callersFolder, env: { ...process.env, SHOPSCOPE_LOCAL_DIR: localDir } };
  const inherit = { stdio: 'inherit', ...(command.files && elsewhere) };
  const given = args.length > 0 || process.env.CI ? args : (command.brief ?? []);
  const suite = args.length === 0 && process.env.CI ? command.suite : undefined;
  const [script, ...leading] = suite ? [suite] : [command.script, ...(command.args ?? [])];
  const all = [...nodeOptions, join(root, script), ...leading, ...given];
  const code = await run(node, all, inherit);
  // A killed process could not end the processes that it had started.
  if (code > 128 && command.sweep) await run(node, [...nodeOptions, join(root, command.sweep)], inherit);
  return code;
}

/**
 * Removes `--nodes 3` and `--redis cluster` from the arguments of `npm test`, because vitest refuses options that it does not have. The
 * set-up of the tests reads them from the environment.
 */
function takeStackArguments(args) {
  const isOption = (arg = '') => /^--(nodes|redis)(=|$)/.test(arg);
  const isValue = (n) => isOption(args[n - 1]) && !args[n - 1].includes('=');
  const isTaken = (arg, n) => isOption(arg) || isValue(n);
  const taken = args.filter(isTaken);
  if (taken.length > 0) process.env.SHOPSCOPE_TEST_STACK = taken.join(' ');
  return args.filter((arg, n) => !isTaken(arg, n));
}

const nodeOptions = [
  // Workspace packages run from their sources.
  '--conditions=@shopscope/source',
  // The local stack uses kafkajs without the patch of libs/kafka, so kafkajs sets timers below zero.
  '--disable-warning=TimeoutNegativeWarning',
];

async function needPrerequisites(name, command, args) {
  const missing = await missingPrerequisites({
    env: process.env,
    cacheDir,
    installed: areInstalled(),
    // Single test files may need no server. A test that needs one reports it.
    stack: Boolean(command.stack) && !(name === 'test' && args.length > 0),
    ci: Boolean(command.ci),
    version: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  });
  if (missing.length === 0) return;
  const what = command.ci ? '.ci/run' : name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
  fail(`${what} needs what this machine does not have (names of Debian packages; nothing was installed):
${missing.map((line) => `  ${line}`).join('\n')}`);
}

async function installPackages(say) {
  if (areInstalled()) return;
  const startedMs = performance.now();
  say('Installing packages (a minute or so the first time) …');
  const progress = setInterval(
    () => say(`still installing packages, ${Math.round((performance.now() - startedMs) / 1_000)} s so far`),
    10_000,
  );
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  // npm ci installs the lock file or fails. npm install would choose versions that nobody reviewed.
  const result = await capture('npm', ['ci', ...quiet]);
  clearInterval(progress);
  if (result.output.includes('EUSAGE')) {
    fail(
      `package-lock.json does not match the package.json files, and this command never changes it. Run npm install, review the new versions and commit the lock file. npm said: ${reason(result.output)}`,
    );
  }
  if (result.code !== 0) {
    fail(
      `The packages could not be installed; check the network and run the command again. npm said: ${reason(result.output)}`,
    );
  }
}

/**
 * npm writes the installed packages to a file after every install. Optional packages of other platforms are missing in
 * it. A workspace that was moved is a link to another folder.
 */
function areInstalled() {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted)
      .filter(([path, entry]) => path.includes('node_modules/') && !entry.optional && !entry.devOptional && !entry.peer)
      .every(
        ([path, { version, link, resolved }]) =>
          path in installed && installed[path].version === version && (!link || installed[path].resolved === resolved),
      );
  } catch {
    return false;
  }
}

/** The running Node if its version is sufficient, otherwise the Node among the packages. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`);
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node);
  } catch {
    return fail(
      `Node ${neededMajor} is needed; the machine has ${process.version} and there is no package ${name}. Install Node ${neededMajor}.`,
    );
  }
}

async function generate(node, say) {
  const sources = ['proto/shopscope', 'proto/buf.gen.yaml', 'package-lock.json'];
  const result = { workspace: 'proto', output: 'proto/gen', stamp: 'contracts', sources };
  await generateStale(node, result, () => say('Generating contracts …'));
}

/** The web application of the dashboard. Its bundle has these folders of each feature: of the others it imports types. */
async function generateWeb(node, say) {
  const folder = 'services/dashboard';
  const code = readdirSync(join(root, folder, 'src')).flatMap((entry) =>
    /^routes\.ts$|\.tsx$/.test(entry)
      ? [`src/${entry}`]
      : ['components', 'domain', 'domain.ts', 'pages', 'pages.ts', 'pages.server.ts'].map(
          (layer) => `src/${entry}/${layer}`,
        ),
  );
  const parts = [...code, 'scripts', 'package.json', 'react-router.config.ts', 'vite.config.ts']
    .map((part) => `${folder}/${part}`)
    .filter((part) => existsSync(join(root, part)));
  const sources = [...parts, 'docs/guides', 'docs/openapi.json', 'package-lock.json'];
  const result = { workspace: 'dashboard', output: `${folder}/gen/web/server/index.js`, stamp: 'web', sources };
  await generateStale(node, result, () => say('Building the web application …'));
}

/** Does nothing when the output exists and its sources are those of the stamp. */
async function generateStale(node, { workspace, output, stamp, sources }, begin) {
  const file = join(localDir, `stamps/${stamp}`);
  const digest = digestOf(sources);
  if (existsSync(join(root, output)) && existsSync(file) && readFileSync(file, 'utf8') === digest) return;
  begin();
  await turbo(node, ['run', 'generate', `--filter=@shopscope/${workspace}`]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, digest);
}

async function build(node, say) {
  say('Building …');
  await turbo(node, ['run', 'build', '--filter=./services/*', '--filter=@shopscope/demo-stores']);
}

async function turbo(node, args) {
  const env = {
    ...process.env,
    PATH: `${dirname(node)}:${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    TURBO_TELEMETRY_DISABLED: '1',
  };
  const result = await capture(
    join(root, 'node_modules/.bin/turbo'),
    [...args, '--output-logs=errors-only', '--no-update-notifier'],
    env,
  );
  if (result.code !== 0) fail(`turbo ${args.join(' ')} failed:\n${result.output}`);
}

function digestOf(paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) add(child);
      else hash.update(entry.name).update(readFileSync(child));
    }
  };
  for (const path of paths.map((p) => join(root, p))) {
    if (statSync(path).isDirectory()) add(path);
    else hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** Runs a program to its end and forwards signals. Resolves to the exit code. */
function run(command, args, options) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, ...options });
    const pass = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
    // npm may be killed. Then its child processes end too.
    const parent = process.ppid;
    const orphaned = () => process.ppid !== parent && pass('SIGTERM');
    if (process.env.npm_lifecycle_event) setInterval(orphaned, 1_000).unref();
    child.on('error', (error) => fail(`${command} could not be run: ${error.message}`));
    child.on('exit', (code, signal) => done(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

function capture(command, args, env = process.env) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-200_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => done({ code: 1, output: error.message }));
    child.on('exit', (code) => done({ code: code ?? 1, output: output.trim() }));
  });
}

/** The first line of npm's error output that is more than a code or the path of a log. */
function reason(output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm error */, ''));
  return (
    lines.find((line) => / /.test(line) && !/^(code|errno|syscall|A complete log|npm warn)\b/.test(line)) ?? output
  );
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

process.exitCode = await main(process.argv.slice(2));
