import { type ReactNode, useState } from 'react'
import { functions, insights } from '../../api/doors.ts'
import {
  clearPastPrompts,
  deleteApplication,
  deleteInsightsApplication,
  listApplications,
  listConnectedAccounts,
  listInsightsApplications,
  listOAuthClients,
} from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { toast } from '../../api/toasts.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { NO_CALLS } from '../../parts/last-day.ts'
import { useGo } from '../../shell/links.tsx'
import { formatNumber } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Group } from '../../ui/section.tsx'
import { type OwnApplication, useCallsByHour } from './read-applications.ts'
import styles from './settings.module.css'
import { WORDS } from './words.ts'

const { danger } = WORDS

/** What cannot be undone. */
export function Danger({ application: { app_key: appKey, name } }: { application: OwnApplication }): ReactNode {
  return (
    <Group title={danger.title}>
      <div className={styles.dangers}>
        <div className={styles.danger}>
          <div>
            <h3>{danger.forget}</h3>
            <p>{danger.forgetHelp}</p>
          </div>
          <ForgetPrompts appKey={appKey} name={name} />
        </div>
        <div className={styles.danger}>
          <div>
            <h3>{danger.delete}</h3>
            <p>{danger.deleteHelp}</p>
          </div>
          <DeleteApplication appKey={appKey} name={name} inFunctions />
        </div>
      </div>
    </Group>
  )
}

function ForgetPrompts({ appKey, name }: { appKey: string; name: string }): ReactNode {
  const { why } = useMay('developer')
  const forget = useChange(functions, clearPastPrompts, { refresh: [], done: danger.forgotten })
  return (
    <DangerButton
      why={why}
      title={danger.forget}
      names={danger.forgetNames(name)}
      loses={danger.forgetLoses}
      action={danger.forget}
      run={async () => (await forget.run({ params: { app_key: appKey } })) !== undefined}
      error={forget.error?.message}
    />
  )
}

type DeleteProps = {
  appKey: string
  name: string
  /** False if only insights knows the application. */
  inFunctions: boolean
}

/** Deletes an application in both services. Functions comes first, so that no further task is counted. A second try completes the first. */
export function DeleteApplication({ appKey, name, inFunctions }: DeleteProps): ReactNode {
  const { why } = useMay('owner')
  const go = useGo()
  const refreshList = useRefreshList()
  const [open, setOpen] = useState(false)
  const inBoth = [listApplications, listInsightsApplications]
  const first = useChange(functions, deleteApplication, { refresh: [] })
  const second = useChange(insights, deleteInsightsApplication, { refresh: inBoth })
  const params = { app_key: appKey }
  const run = async () => {
    if (inFunctions && (await first.run({ params })) === undefined) return false
    if ((await second.run({ params })) === undefined) return false
    toast(danger.deleted(name))
    refreshList('applications')
    go({ page: 'applications' }, 'replace')
    return true
  }
  return (
    <>
      <Button tone="bad" why={why} onClick={() => setOpen(true)}>
        {danger.delete}
      </Button>
      {open && (
        <DeleteDialog
          appKey={appKey}
          name={name}
          counted={inFunctions}
          run={run}
          error={first.error?.message ?? second.error?.message}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

type DeleteDialogProps = {
  appKey: string
  name: string
  counted: boolean
  run(): Promise<boolean>
  error: string | undefined
  onClose(): void
}

function DeleteDialog({ appKey, name, counted, run, error, onClose }: DeleteDialogProps): ReactNode {
  const losses = useLosses(appKey, counted)
  return (
    <Confirm
      open
      title={danger.delete}
      names={danger.deleteNames(name)}
      loses={losses}
      typed={appKey}
      action={danger.delete}
      run={run}
      onClose={onClose}
      error={error}
    />
  )
}

/** A list with more rows is not counted to its end. */
const COUNTED = 200

/** Returns what is deleted with an application, in numbers. */
function useLosses(appKey: string, enabled: boolean): readonly string[] {
  const params = { app_key: appKey }
  const calls = useCallsByHour()
  const accounts = useRead(functions, listConnectedAccounts, { params, query: { page_size: COUNTED } }, { enabled })
  const clients = useRead(functions, listOAuthClients, { params }, { enabled })
  if (!enabled) return []
  if (calls === undefined || accounts.data === undefined || clients.data === undefined) return [danger.counting]
  const { connected_accounts: listed, _cursor: more } = accounts.data
  const shown = more === null ? formatNumber(listed.length) : danger.atLeast(formatNumber(COUNTED))
  return [
    danger.accounts(shown, listed.length === 1),
    danger.clients(clients.data.oauth_clients.length),
    danger.calls((calls.get(appKey) ?? NO_CALLS).allCalls),
    danger.rest,
  ]
}
