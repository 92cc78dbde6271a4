import { type ReactNode, useState } from 'react'
import { toast } from '../api/toasts.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { useShortcuts } from './shortcuts.ts'

type Name = 'palette' | 'shortcuts'

/** The code of the dialogs is loaded when one is opened. */
async function load(name: Name): Promise<(props: { onClose(): void; onShortcuts(): void }) => ReactNode> {
  if (name === 'palette') return (await import('./palette.tsx')).Palette
  return (await import('./shortcuts-dialog.tsx')).ShortcutsDialog
}

/** Listens to the shortcuts. Returns the palette or the list of shortcuts while one of them is open, and the function that opens them. */
export function useKeyDialogs(): { readonly dialog: ReactNode; open(name: Name): void } {
  const [Shown, setShown] = useState<Awaited<ReturnType<typeof load>> | undefined>(undefined)
  const open = (name: Name) => {
    void load(name).then(
      (component) => setShown(() => component),
      // After a release, the code of an old page is gone. Reloading it here could lose what the reader typed.
      () => toast(SHELL_WORDS.palette.failed, 'bad'),
    )
  }
  useShortcuts(open)
  const dialog = Shown === undefined ? null : <Shown onClose={() => setShown(undefined)} onShortcuts={() => open('shortcuts')} />
  return { dialog, open }
}
