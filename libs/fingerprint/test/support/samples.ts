import type { Sample } from '../../scripts/data/samples.ts';
import type { PageInput } from '../../src/index.ts';
import { loaded, page, script, sheet } from './pages.ts';

/** The markup of a sample. */
export const markupOf = ({ html = '', script: url, asset, inline, comment }: Sample): string =>
  [
    url === undefined ? '' : loaded(url),
    asset === undefined ? '' : sheet(asset),
    inline === undefined ? '' : script(inline),
    comment === undefined ? '' : `<!-- ${comment} -->`,
    html,
  ].join('');

/** A page with the sample. `context`: samples of what the technology requires. */
export function pageOf(sample: Sample, context: readonly Sample[], body = markupOf(sample)): PageInput {
  const all = [...context, sample];
  return page(
    { head: context.map(markupOf).join(''), body },
    {
      headers: Object.assign({}, ...all.map(({ header }) => header)),
      cookies: all.flatMap(({ cookies = [] }) => cookies),
      ...(sample.url && { url: sample.url }),
    },
  );
}
