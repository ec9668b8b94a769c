import { ButtonLink } from './button.tsx';
import { useSearchWith } from './search.tsx';

/** The URL has the cursors of all pages up to the current page, so that "Newer" leads back. It has at most this many. */
const maxTrail = 60;

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
}

/** Links to the older and the newer page of a list with cursors. */
export function TrailPaging({ label, name, trail, older, anchor }: TrailPagingProps) {
  const searchWith = useSearchWith();
  const to = (cursors: readonly string[]) =>
    searchWith({ [name]: cursors.join('.') || undefined }) + (anchor === undefined ? '' : `#${anchor}`);
  return (
    <Paging
      label={label}
      newer={trail.length > 0 ? to(trail.slice(0, -1)) : undefined}
      older={older && to([...trail, older])}
    />
  );
}

/** Links to two addresses. */
export function Paging(props: { label: string; newer: string | undefined; older: string | undefined }) {
  const { label, newer, older } = props;
  if (newer === undefined && older === undefined) return null;
  return (
    <nav aria-label={label} className="flex justify-between gap-2">
      {newer === undefined ? <span /> : <ButtonLink to={newer}>Newer</ButtonLink>}
      {older !== undefined && <ButtonLink to={older}>Older</ButtonLink>}
    </nav>
  );
}
