import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { problemsOf } from './check.ts';
import { readManifests } from './manifests.ts';
import { readMeasuredMemory } from './memory.ts';
import { composeSystem, kubernetesSystem, localSystem, settingsDifferences } from './product-settings.ts';

/** `main.ts FOLDER RENDERED …`: prints the problems of the manifests that kustomize rendered for folders, below the root of a checkout. */
const paths = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../../../..');
const memory = readMeasuredMemory(root);
let found = 0;
for (let at = 0; at < paths.length; at += 2) {
  const [folder = '', rendered = ''] = paths.slice(at);
  const manifests = readManifests(readFileSync(rendered, 'utf8'));
  const isBase = folder.endsWith('/base');
  const problems = problemsOf(manifests, { isBase, memory });
  if (!isBase) {
    const installed = kubernetesSystem(root, folder, manifests);
    problems.push(...settingsDifferences(installed, [composeSystem(root), localSystem(root)]));
  }
  for (const problem of problems) process.stdout.write(`${folder}: ${problem}\n`);
  found += problems.length;
}
process.exitCode = found > 0 ? 1 : 0;
