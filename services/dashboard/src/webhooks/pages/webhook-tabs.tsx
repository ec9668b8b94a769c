import { NavLink } from 'react-router';

/** The pages of one webhook. `base`: the path of all webhooks. */
export function WebhookTabs({ base, id }: { base: string; id: string }) {
  const path = `${base}/${id}`;
  const tabs = [
    ['Overview', path],
    ['Deliveries', `${base}/deliveries?webhook=${id}`],
    ['How to verify', `${path}/verify`],
  ] as const;
  return (
    <nav aria-label="Pages of this webhook" className="flex flex-wrap gap-x-5 border-b">
      {tabs.map(([label, to]) => (
        <NavLink
          key={label}
          to={to}
          end
          className="-mb-px flex min-h-10 items-center border-b-2 border-transparent text-quiet hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
        >
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
