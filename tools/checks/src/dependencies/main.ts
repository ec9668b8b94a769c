import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { declarationFaults } from './declared.ts';
import { installScriptFaults } from './install-scripts.ts';
import { lockFaults, unpinned } from './lock-file.ts';
import { testOnlyFaults } from './test-only.ts';
import { readWorkspaces } from './workspace.ts';

/** What of the dependencies can be checked without asking anybody: declared as imported, one version each, locked. */
const root = resolve(import.meta.dirname, '../../../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const lock = JSON.parse(textOf('package-lock.json'));
const workspaces = readWorkspaces(root);
const names = new Set(workspaces.map(({ manifest }) => manifest.name));

const faults = [
  ...declarationFaults(workspaces),
  ...testOnlyFaults(workspaces),
  ...workspaces.flatMap(({ manifest }) => unpinned(manifest, names)),
  ...lockFaults(lock),
  ...installScriptFaults(lock, textOf('.npmrc')),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
