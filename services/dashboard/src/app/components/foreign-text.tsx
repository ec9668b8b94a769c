import { cleaned, cut, isolated } from '@shopscope/text';

/** Shown for everything that no scan has found out. */
export const notKnown = 'not known';

export const NotKnown = () => <span className="text-quiet">{notKnown}</span>;

const shownLength = 200;

/** A text of a foreign page in one clean line, with a bounded length. */
export function shownText(text: string, max = shownLength): string {
  const line = cleaned(text, max + 1);
  const kept = cut(line, max);
  return kept === line ? line : `${kept.trimEnd()}…`;
}

/** As {@link shownText}, within a sentence or an attribute, where no element can isolate it. */
export const isolatedText = (text: string, max?: number): string => isolated(shownText(text, max));

/**
 * A text of a foreign page, which can contain anything. It is the only way in which pages show such texts.
 *
 * - Its direction affects nothing outside of it.
 * - A long word breaks, and a long text ends with an ellipsis.
 * - An empty text is "not known".
 */
export function ForeignText({ text, max }: { text: string; max?: number }) {
  const shown = shownText(text, max);
  if (shown === '') return <NotKnown />;
  return <bdi className="[overflow-wrap:anywhere]">{shown}</bdi>;
}
