import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf, runCommand, UsageError } from '@shopscope/fingerprint/command';
import { parts } from './labels.ts';
import { reportOf } from './report.ts';
import { tableOf } from './table.ts';

/**
 * Measures the detection engine on labelled pages, without network. With --unknown it lists the inventory handles of the pages that
 * data/inventory lacks, the most frequent first.
 *
 * - The folder has no index, or has none of the labelled pages -> one sentence, and exit code 1.
 * - The arguments are invalid -> the usage, and exit code 2.
 */
const usage = `Command:
  npm run --silent accuracy -- DIR [--part open|held|all] [--truth FOLDER] [--json]
  npm run --silent accuracy -- DIR --unknown
DIR: saved pages, gzipped, and index.json: {pages: [{file, url, host, platform}]}.
--part   the labelled pages that are measured; open by default.
--truth  the folder with open.jsonl, held.jsonl and negatives/*.html; lab/accuracy/truth by default.
--json   prints the whole report; that of the open part has each mistake.
--unknown  lists the apps, plugins and modules that pages of DIR (*.html, *.html.gz) name and no rule knows, with the number of pages.
`;

const ownTruth = fileURLToPath(new URL('../truth', import.meta.url));

async function main(args: string[]): Promise<number> {
  const asked = read(args);
  if (asked === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if (asked.unknown) {
    if (!existsSync(asked.folder)) throw new Error(`There is no ${asked.folder}.`);
    const { unknownHandlesIn } = await import('./unknown-handles.ts');
    process.stdout.write(unknownHandlesIn(asked.folder));
    return 0;
  }
  if (!existsSync(join(asked.folder, 'index.json')))
    throw new Error(`There is no ${join(asked.folder, 'index.json')}.`);
  // The engine and its rules take long to load, so they are loaded after the arguments are accepted.
  const { measure } = await import('./measure.ts');
  const report = reportOf(asked.part, measure(asked));
  process.stdout.write(asked.json ? `${JSON.stringify(report, null, 2)}\n` : tableOf(report));
  return 0;
}

const options = {
  part: { type: 'string', default: 'open' },
  truth: { type: 'string', default: ownTruth },
  json: { type: 'boolean', default: false },
  unknown: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function read(args: string[]) {
  const { values, positionals } = argumentsOf(args, options);
  if (values.help) return 'help' as const;
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new UsageError('One folder of saved pages is needed.');
  const part = parts.find((name) => name === values.part);
  if (!part) throw new UsageError(`--part is one of ${parts.join(', ')}.`);
  return { ...values, folder, part };
}

process.exitCode = await runCommand(usage, () => main(process.argv.slice(2)));
