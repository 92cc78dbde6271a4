import { type ReactNode, useState } from 'react'
import { areaA } from '../../api/doors.ts'
import { disconnectOwnAccount, listConnectedAccounts } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { useGo } from '../../shell/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import styles from './account-panel.module.css'
import type { AccountDetail } from './explain.ts'
import { WORDS } from './words.ts'

const { remove: words } = WORDS

/** Disconnects an account. If the app does not revoke the access, it can be disconnected without that. */
export function Disconnect({ account }: { account: AccountDetail }): ReactNode {
  const { app_key, user_id, id, display_name, is_default } = account
  const { why } = useMay('developer')
  const [asking, setAsking] = useState<'no' | 'revoking' | 'forced'>('no')
  const change = useChange(areaA(app_key, user_id), disconnectOwnAccount, { done: words.done, refresh: [listConnectedAccounts] })
  const refreshList = useRefreshList()
  const close = useClose()
  const refused = change.error?.code === 'revocation_failed'
  const run = async () => {
    const query = asking === 'forced' ? { force: true } : {}
    const done = await change.run({ params: { id: String(id) }, query })
    if (done === undefined) return false
    refreshList('accounts')
    close()
    return true
  }
  return (
    <div className={styles.danger}>
      <Group title={words.title} about={words.about}>
        {refused && (
          <Notice tone="warn" title={change.error?.message ?? ''}>
            {words.forceHelp}
          </Notice>
        )}
        <Row>
          <Button tone="bad" why={why} onClick={() => setAsking('revoking')}>
            {words.button}
          </Button>
          {refused && (
            <Button why={why} onClick={() => setAsking('forced')}>
              {words.force}
            </Button>
          )}
        </Row>
      </Group>
      <Confirm
        open={asking !== 'no'}
        title={words.confirm}
        names={words.names(display_name, user_id)}
        loses={[words.loses, ...(is_default ? [words.losesDefault] : []), ...(asking === 'forced' ? [words.forceLoses] : [])]}
        action={words.action}
        run={run}
        error={change.error?.message}
        onClose={() => setAsking('no')}
      />
    </div>
  )
}

/** Returns a function that closes the panel and keeps the filters. */
function useClose(): () => void {
  const go = useGo()
  return () => {
    const { account: _closed, ...search } = Object.fromEntries(new URLSearchParams(location.search))
    go({ page: 'accounts', search }, 'replace')
  }
}
