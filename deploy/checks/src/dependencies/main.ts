import { resolve } from 'node:path';
import { declarationFaults } from './declared.ts';
import { readWorkspaces } from './workspace.ts';

const root = resolve(import.meta.dirname, '../../../..');
const workspaces = readWorkspaces(root);
const faults = [...declarationFaults(workspaces)];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
