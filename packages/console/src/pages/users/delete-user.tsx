import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Door, functions, insights } from '../../api/doors.ts'
import { deleteUser } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { OnwardError } from '../../api/request.ts'
import { send } from '../../api/send.ts'
import { toast } from '../../api/toasts.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { useGo } from '../../shell/links.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { Group } from '../../ui/section.tsx'
import { WORDS } from './words.ts'

const { remove: words } = WORDS

/** Time until the next try while calls of the user are in progress, or insights has not confirmed their tasks. */
const WAIT_MS = 2_000

type DeleteUserProps = { appKey: string; userId: string; application: string }

/** Deletes what both services store about a user. A deletion that was interrupted can begin again. */
export function DeleteUser({ appKey, userId, application }: DeleteUserProps): ReactNode {
  const { why } = useMay('owner')
  const go = useGo()
  const refreshList = useRefreshList()
  const [error, setError] = useState<string | undefined>(undefined)
  const [waits, setWaits] = useState(false)
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  /** Returns how many accounts were deleted although their app did not revoke its access. */
  async function deleteIn(door: Door): Promise<number> {
    let notRevoked = 0
    let cursor: string | null = null
    while (!left.current) {
      const body: { user_id: string; _cursor: string | null } = { user_id: userId, _cursor: cursor }
      const page = await send(door, deleteUser, { params: { app_key: appKey }, body })
      notRevoked += page.not_revoked
      setWaits(page.waits_for !== null)
      if (page.complete) return notRevoked
      if (page.waits_for !== null) await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
      cursor = page._cursor === null ? null : String(page._cursor)
    }
    throw new Error('the page was left')
  }

  const run = async () => {
    setError(undefined)
    try {
      const first = await deleteIn(functions)
      await deleteIn(insights)
      // While insights still had the user, it could send the state of the limit to functions.
      await deleteIn(functions)
      toast(first === 0 ? words.done : words.notRevoked(first), first === 0 ? 'good' : 'bad')
      refreshList('users')
      go({ page: 'users' }, 'replace')
      return true
    } catch (err) {
      if (err instanceof OnwardError) setError(err.message)
      return false
    }
  }
  return (
    <Group title={words.title} about={words.about}>
      <div>
        <DangerButton
          label={words.button}
          why={why}
          title={words.confirm}
          names={waits ? words.waits : words.names(userId, application)}
          loses={words.loses}
          typed={userId}
          action={words.action}
          run={run}
          error={error}
        />
      </div>
    </Group>
  )
}
