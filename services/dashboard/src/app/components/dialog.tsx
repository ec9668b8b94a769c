import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';

interface DialogProps {
  title: string;
  children: ReactNode;
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** A dialog over the page. It traps the focus, closes with Escape and returns the focus to where it was. */
export function Dialog({ title, children, ...state }: DialogProps) {
  return (
    <AlertDialog.Root {...state}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 bg-black/40 transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <AlertDialog.Popup className="fixed inset-x-4 top-[12vh] mx-auto grid max-h-[80dvh] max-w-[480px] gap-4 overflow-y-auto rounded-[6px] border bg-raised p-6 shadow-xl transition-[opacity,transform] data-[ending-style]:scale-98 data-[ending-style]:opacity-0 data-[starting-style]:scale-98 data-[starting-style]:opacity-0">
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          {children}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Closes the dialog around it. */
export const DialogClose = AlertDialog.Close;
