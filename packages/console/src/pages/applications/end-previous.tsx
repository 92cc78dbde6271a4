import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { WORDS } from './words.ts'

type EndPreviousProps = { name: string; why: string | undefined; error: string | undefined; run(): Promise<boolean> }

/** A button that ends the previous secret before its time. */
export function EndPrevious({ name, why, error, run }: EndPreviousProps): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" tone="bad" why={why} onClick={() => setOpen(true)}>
        {WORDS.keys.end}
      </Button>
      <Confirm
        open={open}
        title={WORDS.keys.endTitle}
        names={WORDS.keys.endNames(name)}
        action={WORDS.keys.end}
        run={run}
        onClose={() => setOpen(false)}
        error={error}
      />
    </>
  )
}
