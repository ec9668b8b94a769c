import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from './run-to-end.ts';

/** The version against which the node is checked. A newer one may name packages that its registry does not have yet. */
const n8nVersion = '2.41.0';
const installTimeoutMs = 1_800_000;
const stepTimeoutMs = 600_000;

/** Installs n8n once, without install scripts: they download what this check does not need. Returns its program. */
export async function installN8n(cacheDir: string): Promise<string> {
  const folder = join(cacheDir, `n8n-${n8nVersion}`);
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { n8n: n8nVersion } }));
    await runToEnd('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      timeoutMs: installTimeoutMs,
    });
    writeFileSync(done, '');
  }
  return join(folder, 'node_modules/n8n/bin/n8n');
}

/**
 * Checks the types of the package, lints and builds it with the tools of n8n, and unpacks into `target` what npm would publish. There it finds
 * `n8n-workflow` in n8n, as in an installation.
 */
export async function unpackNodes(root: string, target: string): Promise<void> {
  const folder = join(root, 'packages/n8n-nodes-shopscope');
  const inFolder = { cwd: folder, timeoutMs: stepTimeoutMs };
  await runToEnd('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    timeoutMs: installTimeoutMs,
  });
  await runToEnd('npm', ['run', 'lint'], inFolder);
  await runToEnd(join(root, 'node_modules/.bin/tsc'), ['-p', 'tools/checks/test/n8n'], {
    cwd: root,
    timeoutMs: stepTimeoutMs,
  });
  await runToEnd('npm', ['run', 'build'], inFolder);
  mkdirSync(target, { recursive: true });
  await runToEnd('npm', ['pack', '--silent', '--pack-destination', target], inFolder);
  const archive = readdirSync(target).find((name) => name.endsWith('.tgz')) as string;
  await runToEnd('tar', ['-xzf', archive], { cwd: target, timeoutMs: stepTimeoutMs });
  rmSync(join(target, archive));
  const { n8n } = JSON.parse(readFileSync(join(target, 'package/package.json'), 'utf8'));
  const missing = [...n8n.nodes, ...n8n.credentials].filter((file) => !existsSync(join(target, 'package', file)));
  if (missing.length > 0) throw new Error(`The package does not have ${missing.join(', ')}.`);
}
