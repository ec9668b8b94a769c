import { isolated } from '@shopscope/text';
import { X } from 'lucide-react';
import { Link } from 'react-router';
import { useSearchWith } from './search.tsx';

/** The filters in the URL of a page. Each chip removes one filter and leads to the first page. */
export function FilterChips({ chips }: { chips: readonly { name: string; text: string }[] }) {
  const searchWith = useSearchWith();
  if (chips.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2">
      {chips.map(({ name, text }) => (
        <li key={name} className="min-w-0">
          <Link
            to={searchWith({ [name]: undefined, before: undefined, after: undefined })}
            aria-label={`Remove the filter ${isolated(text)}`}
            className="inline-flex h-8 max-w-full items-center gap-1 rounded-full bg-accent-soft px-3 text-sm text-accent md:h-6"
          >
            <bdi className="truncate">{text}</bdi>
            <X aria-hidden className="size-3.5 shrink-0" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
