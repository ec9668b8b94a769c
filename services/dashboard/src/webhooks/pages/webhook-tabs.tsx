import { NavLink } from 'react-router';

const tabs = [
  ['', 'Overview'],
  ['/verify', 'How to verify'],
] as const;

/** The pages of one webhook. `path`: that of its first page. */
export const WebhookTabs = ({ path }: { path: string }) => (
  <nav aria-label="Pages of this webhook" className="flex flex-wrap gap-x-5 border-b">
    {tabs.map(([place, label]) => (
      <NavLink
        key={place}
        to={path + place}
        end
        className="-mb-px flex min-h-10 items-center border-b-2 border-transparent text-quiet hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
      >
        {label}
      </NavLink>
    ))}
  </nav>
);
