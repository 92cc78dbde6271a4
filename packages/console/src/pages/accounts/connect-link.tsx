import type { openConnectSession, ResponseOf } from '@onward/contract'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { listApplications } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { Copy } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { useNow } from '../../ui/media.ts'
import { Time } from '../../ui/time.tsx'
import styles from './account-panel.module.css'
import { WORDS } from './words.ts'

const { link: words } = WORDS

type ConnectLinkProps = ResponseOf<typeof openConnectSession> & { readonly appKey: string; readonly label: string }

/** A link with which a user connects an account, to copy. It is a secret of a few minutes, and only in the memory of the page. */
export function ConnectLink({ appKey, label, url, expires_at }: ConnectLinkProps): ReactNode {
  const { data } = useRead(functions, listApplications, { query: { workspace_id: useWorkspaceId() } })
  const now = useNow()
  if (new Date(expires_at) <= now) return <Notice tone="warn">{words.expired}</Notice>
  const application = data?.applications.find(({ app_key }) => app_key === appKey)
  const unconfirmed = application?.confirm_accounts === true && application.allowed_redirects.length === 0
  return (
    <Notice tone={unconfirmed ? 'warn' : 'info'} title={label} action={<Copy text={url} what={label} label={WORDS.copy} />}>
      <p>
        <code className={styles.url}>{url}</code>
      </p>
      <p>
        {words.expires} <Time at={expires_at} />. {words.once}
      </p>
      {unconfirmed && <p>{words.unconfirmed}</p>}
    </Notice>
  )
}
