import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { endSession, listSessions } from '../../api/endpoints.ts'
import { useChange } from '../../api/queries.ts'
import { DangerButton } from '../../ui/danger-button.tsx'

type EndSessionProps = {
  id: string
  /** `names` says whom this concerns; `done` is said when it is done. */
  texts: { readonly button: string; readonly title: string; readonly names: string; readonly done: string }
  why?: string | undefined
}

/** A button that ends a session or revokes a token, after it has asked. */
export function EndSession({ id, texts, why }: EndSessionProps): ReactNode {
  const end = useChange(insights, endSession, { refresh: [listSessions], done: texts.done })
  return (
    <DangerButton
      size="small"
      why={why}
      title={texts.title}
      names={texts.names}
      action={texts.button}
      run={async () => (await end.run({ params: { id } })) !== undefined}
      error={end.error?.message}
    />
  )
}
