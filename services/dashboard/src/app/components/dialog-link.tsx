import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ButtonLink } from './button.tsx';

/** A link to a page. A plain click shows the page as a dialog. Without script, and in a new tab or window, the page opens. */
export function DialogLink({
  title,
  dialog,
  ...rest
}: Omit<ComponentProps<typeof ButtonLink>, 'onClick'> & { title: string; dialog: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ButtonLink
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpen(true);
        }}
        {...rest}
      />
      <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
        <AlertDialog.Portal>
          <AlertDialog.Backdrop className="fixed inset-0 bg-black/40 transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
          <AlertDialog.Popup className="fixed inset-x-4 top-[12vh] mx-auto grid max-h-[80dvh] max-w-[480px] gap-4 overflow-y-auto rounded-[6px] border bg-raised p-6 shadow-xl transition-[opacity,transform] data-[ending-style]:scale-98 data-[ending-style]:opacity-0 data-[starting-style]:scale-98 data-[starting-style]:opacity-0">
            <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
            {dialog}
          </AlertDialog.Popup>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </>
  );
}
