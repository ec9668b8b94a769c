import type { ReactNode } from 'react';

/** A name and its value in a list of facts. */
export function Fact({ name, isWide, children }: { name: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={`min-w-0 [overflow-wrap:anywhere] ${isWide ? 'col-span-2' : ''}`}>
      <dt className="text-sm text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
