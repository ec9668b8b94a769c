import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { type CommandsOf, commandsOf } from './commands.ts';
import { useHydrated } from './use-hydrated.ts';

const CommandPalette = lazy(() => import('./command-palette.tsx'));

/** Opens the command palette, as ⌘K and Ctrl K do. Without script it keeps its place and is not shown. */
export function CommandButton(props: CommandsOf & { className?: string }) {
  const [open, setOpen] = useState<boolean>();
  const isHydrated = useHydrated();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={`flex h-10 items-center gap-2 rounded px-2 text-quiet hover:bg-sunken hover:text-text md:h-8 ${isHydrated ? '' : 'invisible'} ${props.className ?? ''}`}
      >
        <Search aria-hidden className="size-4" />
        <span className="grow text-left">Find a page</span>
        <kbd className="hidden rounded border px-1 font-mono text-xs md:inline">Ctrl K</kbd>
      </button>
      {open !== undefined && (
        <Suspense>
          <CommandPalette commands={commandsOf(props)} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
