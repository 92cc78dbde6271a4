import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { WORDS } from '../text/words.ts'
import { Confirm } from '../ui/dialog.tsx'

/** Asks before the page is left with changes that are not saved. */
export function AskBeforeLeaving({ when }: { when: boolean }): ReactNode {
  const { status, proceed, reset } = useBlocker({
    // The application filter changes what a page edits.
    shouldBlockFn: ({ current, next }) =>
      when && (current.pathname !== next.pathname || appKeyIn(current.search) !== appKeyIn(next.search)),
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  return (
    <Confirm
      open={status === 'blocked'}
      title={WORDS.form.leave.title}
      names={WORDS.form.leave.names}
      action={WORDS.form.leave.action}
      run={async () => {
        proceed?.()
        return true
      }}
      onClose={() => reset?.()}
    />
  )
}

function appKeyIn(search: object): unknown {
  return 'app_key' in search ? search.app_key : undefined
}
