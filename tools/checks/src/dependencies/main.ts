import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { declarationProblems, testOnlyProblems } from './declared.ts';
import { installScriptProblems } from './install-scripts.ts';
import { lockProblems, unpinnedVersionProblems } from './lock-file.ts';
import { readWorkspaces } from './workspace.ts';

/** Checks dependencies without network: declarations match imports, versions are exact, the lock file is complete. */
const root = resolve(import.meta.dirname, '../../../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const lock = JSON.parse(textOf('package-lock.json'));
const workspaces = readWorkspaces(root);
const names = new Set(workspaces.map(({ manifest }) => manifest.name));

const problems = [
  ...declarationProblems(workspaces),
  ...testOnlyProblems(workspaces),
  ...workspaces.flatMap(({ manifest }) => unpinnedVersionProblems(manifest, names)),
  ...lockProblems(lock),
  ...installScriptProblems(lock, textOf('.npmrc')),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
