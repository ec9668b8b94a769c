import { cleaned, cut, isolated } from '@shopscope/text';

/** Shown for every value that no scan has found. */
export const notKnown = 'not known';

export const NotKnown = () => <span className="text-quiet">{notKnown}</span>;

const shownLength = 200;

/** Returns a text of a foreign page as one clean line of bounded length. */
export function shownText(text: string, max = shownLength): string {
  const line = cleaned(text, max + 1);
  const kept = cut(line, max);
  return kept === line ? line : `${kept.trimEnd()}…`;
}

/** Works as {@link shownText}, for use within a sentence or an attribute, where no element can isolate the text. */
export const isolatedText = (text: string, max?: number): string => isolated(shownText(text, max));

/**
 * Shows a text of a foreign page, which can contain anything. Pages show such texts only with this component.
 *
 * - Its text direction affects nothing outside of it.
 * - A long word breaks, and a long text ends with an ellipsis.
 * - An empty text is shown as "not known".
 */
export function ForeignText({ text, max }: { text: string; max?: number }) {
  const shown = shownText(text, max);
  if (shown === '') return <NotKnown />;
  return <bdi className="[overflow-wrap:anywhere]">{shown}</bdi>;
}
