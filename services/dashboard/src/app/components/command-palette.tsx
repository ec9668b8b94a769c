import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Command, lookUpCommand, matching } from './commands.ts';

/** Finds a page by a few letters. Arrows, Home and End choose, Enter opens, Escape closes and returns the focus. */
export default function CommandPalette(props: {
  commands: readonly Command[];
  segment: string;
  open: boolean;
  onOpenChange(open: boolean): void;
}) {
  const { commands, segment, open, onOpenChange } = props;
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-black/40 transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Dialog.Popup className="fixed inset-x-4 top-[12vh] z-20 mx-auto max-w-[520px] overflow-hidden rounded-[6px] border bg-raised shadow-xl transition-[opacity,transform] data-[ending-style]:scale-98 data-[ending-style]:opacity-0 data-[starting-style]:scale-98 data-[starting-style]:opacity-0">
          <Dialog.Title className="sr-only">Go to a page</Dialog.Title>
          <Finder commands={commands} segment={segment} onDone={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder(props: { commands: readonly Command[]; segment: string; onDone(): void }) {
  const { commands, segment, onDone } = props;
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const lookUp = lookUpCommand(segment, text);
  const found = lookUp ? [lookUp, ...matching(commands, text)] : matching(commands, text);
  const optionId = (index: number) => `${id}-${index}`;

  const choose = (index: number) => {
    setChosen(index);
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' });
  };
  const open = (command: Command | undefined) => {
    if (!command) return;
    onDone();
    void navigate(command.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = found.length - 1;
    const next = {
      ArrowDown: chosen === last ? 0 : chosen + 1,
      ArrowUp: chosen === 0 ? last : chosen - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Enter') open(found[chosen]);
    else if (next === undefined) return;
    else if (last >= 0) choose(next);
    event.preventDefault();
  };

  return (
    <>
      <div className="flex items-center gap-2 border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-quiet" />
        <input
          type="text"
          role="combobox"
          aria-label="Find a page, or look a domain up"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? optionId(chosen) : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Find a page, or enter a domain"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 w-full bg-transparent text-lg outline-none placeholder:text-quiet"
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Pages" className="max-h-[50vh] overflow-y-auto p-2">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: The text field has the focus and handles the keys.
          <div
            key={command.to}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onPointerMove={() => setChosen(index)}
            onClick={() => open(command)}
            className="flex h-10 cursor-pointer items-center justify-between gap-4 rounded px-2 aria-selected:bg-accent-soft aria-selected:text-accent"
          >
            <bdi className="truncate">{command.label}</bdi>
            <span className="shrink-0 text-sm text-quiet">{command.group}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-4 pb-4 text-quiet">No page has this name.</p>}
      <p aria-live="polite" className="sr-only">
        {found.length} {found.length === 1 ? 'page' : 'pages'}
      </p>
    </>
  );
}
