import type { ReactNode } from 'react';

/** Says what will be here, why it is empty, and the one thing to do. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 rounded border border-dashed px-4 py-12 text-center">
      <h2 className="text-lg">{title}</h2>
      <div className="max-w-[60ch] text-quiet">{children}</div>
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}
