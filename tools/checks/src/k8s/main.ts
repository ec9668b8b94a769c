import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { problemsOf } from './check.ts';
import { readManifests } from './manifests.ts';
import { composeSystem, kubernetesSystem, localSystem, settingsDifferences } from './product-settings.ts';

/** `main.ts FOLDER RENDERED`: prints the problems of the manifests that kustomize rendered for a folder, below the root of a checkout. */
const [folder = '', rendered = ''] = process.argv.slice(2);
const manifests = readManifests(readFileSync(rendered, 'utf8'));
const root = resolve(import.meta.dirname, '../../../..');
const isBase = folder.endsWith('/base');
const problems = problemsOf(manifests, { isBase });
if (!isBase) {
  const installed = kubernetesSystem(root, folder, manifests);
  problems.push(...settingsDifferences(installed, [composeSystem(root), localSystem(root)]));
}
for (const problem of problems) process.stdout.write(`${folder}: ${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
