import type { ReactNode } from 'react';

/** Names and their values. A name without a value (undefined, false) is left out. `wide`: the fact that takes two columns. */
export const Facts = (props: { facts: Readonly<Record<string, ReactNode>>; wide?: string; className?: string }) => (
  <dl className={`grid gap-y-4 ${props.className ?? 'grid-cols-2 gap-x-6 lg:grid-cols-4'}`}>
    {Object.entries(props.facts).map(
      ([name, value]) =>
        value !== undefined &&
        value !== false && (
          <div key={name} className={`min-w-0 [overflow-wrap:anywhere] ${name === props.wide ? 'col-span-2' : ''}`}>
            <dt className="text-sm text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
