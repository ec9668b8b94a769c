import { Search } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { type CommandsOf, commandsOf } from './commands.ts';
import { useHydrated } from './use-hydrated.ts';

type Palette = typeof import('./command-palette.tsx').default;

/** Opens the command palette, as ⌘K and Ctrl K do. Without script it is invisible, but keeps its space. */
export function CommandButton(props: CommandsOf & { className?: string }) {
  const [palette, setPalette] = useState<{ Component: Palette }>();
  const [isOpen, setOpen] = useState(false);
  const isHydrated = useHydrated();
  const toggle = useCallback(async () => {
    // If the browser is offline, the palette stays closed and the page stays as it is.
    const loaded = await import('./command-palette.tsx').catch(() => undefined);
    if (!loaded) return;
    setPalette({ Component: loaded.default });
    setOpen((before) => !before);
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      void toggle();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [toggle]);
  return (
    <>
      <button
        type="button"
        onClick={toggle}
        className={`flex h-10 items-center gap-2 rounded px-2 text-quiet hover:bg-sunken hover:text-text md:h-8 ${isHydrated ? '' : 'invisible'} ${props.className ?? ''}`}
      >
        <Search aria-hidden className="size-4" />
        <span className="grow text-left">Find a page</span>
        <kbd className="hidden rounded border px-1 font-mono text-xs md:inline">Ctrl K</kbd>
      </button>
      {palette && (
        <palette.Component
          commands={commandsOf(props)}
          segment={props.workspace.segment}
          open={isOpen}
          onOpenChange={setOpen}
        />
      )}
    </>
  );
}
