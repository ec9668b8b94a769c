import { existsSync } from 'node:fs';
import { AppError } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import type { Command, Console, Option } from '../command.ts';
import type { Services } from '../connect.ts';
import { createFile, readStores } from '../corpus/corpus-file.ts';
import { exportStores } from '../corpus/export-stores.ts';
import { type ImportedStores, importStores } from '../corpus/import-stores.ts';
import { createProgress, number } from '../corpus/progress.ts';
import { InvalidLineError, storeLineOf } from '../corpus/store-line.ts';
import { CommandError } from '../errors.ts';
import { type Output, single } from '../output/output.ts';

const environmentOption: Option = {
  value: 'NAME',
  help: 'the environment of the system (SHOPSCOPE_ENV); required for production, checked everywhere',
};
/** Invalid lines that are printed one by one. The summary has the number of all. */
export const maxReportedLines = 20;

export const corpusCommands: readonly Command[] = [
  {
    words: 'corpus import',
    summary: 'Merges the stores of an NDJSON file, as if scanners had seen them',
    note: 'Interrupted at any point, the same command continues: what is merged is skipped',
    operand: { name: 'FILE', help: 'one store per line; tools/admin/README.md has its members' },
    options: {
      'skip-invalid': {
        value: '',
        help: 'skips lines that are not stores, and reports them; without it the first one ends the import',
      },
      'allow-environment': environmentOption,
    },
    async run({ profiles }, { operand: path, has, optional }, console) {
      const environment = optional('allow-environment') ?? '';
      await requireAllowed(profiles, environment);
      const abort = console.interruption();
      const progress = createProgress({ console, verb: 'imported', service: 'profiles' });
      const startedMs = performance.now();
      const requestId = newId('req');
      let invalid = 0;
      let done: ImportedStores = { stores: 0, merged: 0, duplicates: 0, superseded: 0, rejected: 0 };
      const skip = (line: number, problem: string) => {
        invalid += 1;
        if (invalid <= maxReportedLines) progress.note(`line ${line}: ${problem}; skipped`);
      };
      try {
        const stores = readStores({
          path,
          onInvalid: has('skip-invalid') ? skip : undefined,
          onRead: progress.onRead,
        });
        done = await importStores({
          profiles,
          stores,
          environment,
          abort,
          requestId,
          onRetry: progress.onRetry,
          onProgress(counts) {
            done = counts;
            progress.update({ stores: counts.stores });
          },
        });
      } catch (error) {
        progress.end();
        if (error instanceof InvalidLineError) {
          throw new CommandError(
            `${path}: ${error.message}\nStores before it that are imported: ${number(done.stores)}. ` +
              'Correct the line and run the same command again, or add --skip-invalid.',
          );
        }
        if (done.stores > 0) {
          console.report(`${number(done.stores)} stores are imported. To continue, run the same command again.\n`);
        }
        throw error;
      }
      progress.end();
      const seconds = (performance.now() - startedMs) / 1_000;
      const { stores, ...observations } = done;
      const counts = { stores, invalid_lines: invalid, observations, ...speedOf(stores, seconds) };
      const summary = { file: path, ...counts, request_id: requestId };
      if (!abort.aborted) return { ...single(summary), failed: invalid > 0 };
      return interrupted(console, summary, 'To continue, run the same command again.');
    },
  },
  {
    words: 'corpus export',
    summary: 'Writes every store with its observations to an NDJSON file, by domain',
    note: 'The file gets its name when it is complete',
    operand: { name: 'FILE', help: 'a file that does not exist yet' },
    options: { 'allow-environment': environmentOption },
    async run({ profiles }, { operand: path, optional }, console) {
      requireAbsent(path);
      const environment = optional('allow-environment') ?? '';
      await requireAllowed(profiles, environment);
      const abort = console.interruption();
      const progress = createProgress({ console, verb: 'exported', service: 'profiles' });
      const startedMs = performance.now();
      const file = await createFile(path);
      let total = 0;
      let stores = 0;
      let observations = 0;
      let isComplete = false;
      try {
        const onPage = (count: number) => {
          total = count;
        };
        for await (const store of exportStores({ profiles, environment, abort, onPage, onRetry: progress.onRetry })) {
          if (abort.aborted) break;
          await file.write(`${storeLineOf(store)}\n`);
          stores += 1;
          observations += store.observations.length;
          progress.update({ stores, share: total > 0 ? Math.min(1, stores / total) : undefined });
        }
        if (!abort.aborted) {
          await file.commit();
          isComplete = true;
        }
      } catch (error) {
        if (!abort.aborted) throw error;
      } finally {
        progress.end();
        await file.discard();
      }
      const seconds = (performance.now() - startedMs) / 1_000;
      const summary = { file: path, stores, stores_of_corpus: total, observations, ...speedOf(stores, seconds) };
      if (!isComplete) return interrupted(console, summary, 'Nothing was written.');
      if (total > stores) {
        console.report(
          `${number(total - stores)} stores are not in the file: profiles keeps none of their observations any more ` +
            '(OBSERVATION_RETENTION_DAYS), or they were added meanwhile.\n',
        );
      }
      return single(summary);
    },
  },
];

const speedOf = (stores: number, seconds: number) => ({
  seconds: Math.round(seconds * 10) / 10,
  stores_per_second: Math.round(stores / Math.max(seconds, 0.001)),
});

export function interrupted(console: Console, summary: Parameters<typeof single>[0], advice: string): Output {
  console.report(`Interrupted. ${advice}\n`);
  return { ...single(summary), interrupted: true };
}

/** Asks profiles before anything is read or written. An import of nothing changes nothing. */
async function requireAllowed(profiles: Services['profiles'], environment: string): Promise<void> {
  try {
    await profiles.importObservations({ observations: [], environment });
  } catch (error) {
    const [, problem] = (error instanceof AppError && /^environment: (.*)$/.exec(error.publicMessage)) || [];
    if (problem === undefined) throw error;
    throw new CommandError(
      `Refused: ${problem}. --allow-environment NAME allows a system by the name of its environment.`,
    );
  }
}

function requireAbsent(path: string): void {
  if (existsSync(path)) throw new CommandError(`${path} exists already; remove it, or name another file.`);
}
