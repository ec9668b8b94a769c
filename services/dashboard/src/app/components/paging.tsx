import { ButtonLink } from './button.tsx';
import { useSearchWith } from './search.tsx';

/** The URL has the cursors of all pages up to the current page, so that "Newer" leads back. It has at most this many. */
const maxTrail = 60;
/** Cursors of the API are longer than those of the dashboard. Node accepts headers of 16 KB. */
const maxTrailLength = 4_000;

/** A cursor of the API in the form of a trail, which has points between its cursors. `apiCursorOf` is the inverse. */
export const trailCursorOf = (cursor: string): string => cursor.replace('.', '~');
export const apiCursorOf = (cursor: string | undefined): string | undefined => cursor?.replace('~', '.');

/** The cursors in a parameter of the URL. The last one is the cursor of the current page. */
export const trailOf = (search: URLSearchParams, name: string): string[] =>
  (search.get(name) ?? '').split('.').filter(Boolean).slice(-maxTrail);

interface TrailPagingProps {
  label: string;
  /** The name of the URL parameter. */
  name: string;
  trail: readonly string[];
  /** The cursor of the next page. */
  older: string | undefined;
  /** The id of the list, if it is not the first list of its page. */
  anchor?: string;
  words?: PagingWords;
}

/** Links to the older and the newer page of a list with cursors. */
export function TrailPaging({ label, name, trail, older, anchor, words }: TrailPagingProps) {
  const searchWith = useSearchWith();
  const to = (cursors: readonly string[]) => {
    const kept = [...cursors];
    while (kept.join('.').length > maxTrailLength) kept.shift();
    return searchWith({ [name]: kept.join('.') || undefined }) + (anchor === undefined ? '' : `#${anchor}`);
  };
  return (
    <Paging
      label={label}
      words={words}
      newer={trail.length > 0 ? to(trail.slice(0, -1)) : undefined}
      older={older && to([...trail, older])}
    />
  );
}

interface PagingWords {
  newer: string;
  older: string;
}

/** The words for pages that are not ordered by time. */
export const plainWords: PagingWords = { newer: 'Previous', older: 'Next' };

/** Links to two addresses. */
export function Paging(props: {
  label: string;
  newer: string | undefined;
  older: string | undefined;
  words?: PagingWords | undefined;
}) {
  const { label, newer, older, words = { newer: 'Newer', older: 'Older' } } = props;
  if (newer === undefined && older === undefined) return null;
  return (
    <nav aria-label={label} className="flex justify-between gap-2">
      {newer === undefined ? <span /> : <ButtonLink to={newer}>{words.newer}</ButtonLink>}
      {older !== undefined && <ButtonLink to={older}>{words.older}</ButtonLink>}
    </nav>
  );
}
