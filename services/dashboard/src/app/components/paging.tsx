import { useSearchParams } from 'react-router';
import { ButtonLink } from './button.tsx';

/** The cursors of the pages up to a page stand in the URL, so that "Newer" leads back. */
const maxTrail = 60;

/** The cursors in a parameter of the URL. The last one is that of the page. */
export const trailOf = (search: URLSearchParams, name: string): string[] =>
  (search.get(name) ?? '').split('.').filter(Boolean).slice(-maxTrail);

interface TrailPagingProps {
  /** Name for screen readers. */
  label: string;
  /** The parameter of the URL. */
  name: string;
  trail: readonly string[];
  /** The cursor of the next page. */
  older: string | undefined;
  /** Id of the list, when it is not the first one of its page. */
  anchor?: string;
}

/** Links to the older and the newer page of a list with cursors. */
export function TrailPaging({ label, name, trail, older, anchor }: TrailPagingProps) {
  const [search] = useSearchParams();
  if (trail.length === 0 && older === undefined) return null;
  const to = (cursors: readonly string[]) => {
    const target = new URLSearchParams(search);
    target.delete(name);
    if (cursors.length > 0) target.set(name, cursors.join('.'));
    return `?${target}${anchor === undefined ? '' : `#${anchor}`}`;
  };
  return (
    <nav aria-label={label} className="flex justify-between gap-2">
      {trail.length > 0 ? <ButtonLink to={to(trail.slice(0, -1))}>Newer</ButtonLink> : <span />}
      {older !== undefined && <ButtonLink to={to([...trail, older])}>Older</ButtonLink>}
    </nav>
  );
}
