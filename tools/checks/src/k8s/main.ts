import { readFileSync } from 'node:fs';
import { problemsOf } from './check.ts';
import { readManifests } from './manifests.ts';

/** `main.ts FOLDER RENDERED`: prints the problems of the manifests that kustomize rendered for a folder. */
const [folder = '', rendered = ''] = process.argv.slice(2);
const problems = problemsOf(readManifests(readFileSync(rendered, 'utf8')), { isBase: folder.endsWith('/base') });
for (const problem of problems) process.stdout.write(`${folder}: ${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
