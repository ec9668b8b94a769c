import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lookAtPage, observeStore, type PageInput, type StoreObservation } from '@shopscope/fingerprint';
import { type Label, type Part, partOf, readLabels, readNegatives, readVocabulary } from './labels.ts';
import { hostOf, readIndex, readPage, type SavedPage } from './pages.ts';
import { judgePage, judgePlatform } from './score-profile.ts';
import { matchTechnologies } from './score-technologies.ts';
import { wappalyzerTechnologies } from './wappalyzer.ts';

export type Measurement = ReturnType<typeof measure>;
export type MeasuredPlatform = Measurement['savedNegatives'][number];
export type MeasuredPage = ReturnType<typeof measureLabelled>;
export type Timing = ReturnType<typeof timingOf>;

/** V8 compiles most of the code in these passes over all pages. The timed passes are therefore as fast as in a long-running process. */
const untimedPasses = 2;
const timedPasses = 4;

/**
 * Observes the pages of one part and compares the observations with the labels.
 *
 * - It never opens a page of another part.
 * - Memory: one page at a time.
 * - The engine is timed before it is compared with wappalyzer, because wappalyzer leaves garbage in the heap.
 * - A labelled page is not in the folder -> `missing` names it, and the other pages are measured.
 */
export function measure({ folder, truth, part }: { folder: string; truth: string; part: Part }) {
  const index = readIndex(folder);
  const savedPages = new Map(index.map((page) => [page.file, page]));
  const labels = readLabels(truth, part);
  const vocabulary = readVocabulary(truth);
  const present = labels.flatMap((label) => {
    const page = savedPages.get(label.file);
    return page && existsSync(join(folder, page.file)) ? [{ label, page }] : [];
  });
  if (present.length === 0) throw new Error(`None of the ${labels.length} labelled pages is in ${folder}.`);

  const labelled = new Set(labels.map(({ file }) => file));
  const isNegative = (page: SavedPage) =>
    page.platform === null && !labelled.has(page.file) && (part === 'all' || partOf(hostOf(page)) === part);
  const negatives = index.filter(isNegative);
  const found = new Set(present.map(({ page }) => page.file));
  const timings = timeEngine(folder, [...present.map(({ page }) => page), ...negatives]);
  return {
    labelled: present.map(({ label, page }) => measureLabelled(folder, page, label, vocabulary)),
    missing: labels.map(({ file }) => file).filter((file) => !found.has(file)),
    savedNegatives: negatives.map((page) => {
      const observed = observeStore(inputOf(page.url ?? '', readPage(folder, page.file)));
      return { file: page.file, platform: judgePlatform(observed.platform.slug, null) };
    }),
    constructedNegatives: readNegatives(truth).map(({ file, url, html }) => {
      return { file, platform: judgePlatform(observeStore(inputOf(url, html)).platform.slug, null) };
    }),
    timings,
  };
}

function measureLabelled(folder: string, page: SavedPage, label: Label, vocabulary: ReadonlySet<string>) {
  const url = page.url ?? '';
  const html = readPage(folder, page.file);
  const observed = observationOf(inputOf(url, html));
  return {
    file: page.file,
    platform: judgePlatform(observed.platform.slug, page.platform),
    judged: judgePage(observed, label, { host: hostOf(page), html, vocabulary }),
    isStore: label.status.value === 'active_storefront',
    ...(label.technologies && {
      technologies: {
        own: matchTechnologies(observed.technologies, label.technologies),
        wappalyzer: matchTechnologies(wappalyzerTechnologies(url, html), label.technologies),
      },
    }),
  };
}

/** If the gate refuses the page, because it takes it for another page than the store's, the observation is that of an empty page. */
const observationOf = (page: PageInput): StoreObservation =>
  lookAtPage(page).seen ?? observeStore({ ...page, html: '' });

const inputOf = (url: string, html: string): PageInput => ({ url, status: 200, headers: {}, html });

/** Times each page once per pass. A page that is observed twice in a row would find its code and data in the caches of the processor. */
function timeEngine(folder: string, pages: readonly SavedPage[]): Timing[] {
  const timings: Timing[] = [];
  for (let pass = 0; pass < untimedPasses + timedPasses; pass++)
    for (const { url, file } of pages) {
      const timing = timingOf(inputOf(url ?? '', readPage(folder, file)));
      if (pass >= untimedPasses) timings.push(timing);
    }
  return timings;
}

/** Times one call of `lookAtPage` for a decoded page. The CPU time includes that of other threads of the process. */
function timingOf(input: PageInput) {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  lookAtPage(input);
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1_000 };
}
