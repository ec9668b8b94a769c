import { FlaskConical } from 'lucide-react';

/** The line at the top of every page of the test environment. */
export const TestBar = () => (
  <p className="flex items-center gap-2 border-b border-warning bg-warning-soft px-4 py-2 text-sm text-warning md:px-8">
    <FlaskConical aria-hidden className="size-4 shrink-0" />
    <span>
      <strong className="font-semibold">Test environment.</strong> Stores are generated, and nothing counts to the live
      allowance.
    </span>
  </p>
);
