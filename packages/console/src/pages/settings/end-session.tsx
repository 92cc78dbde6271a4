import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { endSession, listSessions } from '../../api/endpoints.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'

type EndSessionProps = {
  id: string
  /** `names` says whom this concerns; `done` is said when it is done. */
  texts: { readonly button: string; readonly title: string; readonly names: string; readonly done: string }
  why?: string | undefined
}

/** A button that ends a session or revokes a token, after it has asked. */
export function EndSession({ id, texts, why }: EndSessionProps): ReactNode {
  const [open, setOpen] = useState(false)
  const end = useChange(insights, endSession, { refresh: [listSessions], done: texts.done })
  return (
    <>
      <Button size="small" tone="bad" why={why} onClick={() => setOpen(true)}>
        {texts.button}
      </Button>
      <Confirm
        open={open}
        title={texts.title}
        names={texts.names}
        action={texts.button}
        run={async () => (await end.run({ params: { id } })) !== undefined}
        onClose={() => setOpen(false)}
        error={end.error?.message}
      />
    </>
  )
}
