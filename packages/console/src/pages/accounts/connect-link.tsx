import type { Answer, openConnectSession } from '@onward/contract'
import type { ReactNode } from 'react'
import { Copy } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { useNow } from '../../ui/media.ts'
import { Time } from '../../ui/time.tsx'
import styles from './account-panel.module.css'
import { WORDS } from './words.ts'

const { link: words } = WORDS

type ConnectLinkProps = Answer<typeof openConnectSession> & { readonly label: string }

/** A link with which a user connects an account, to copy. It is a secret of a few minutes, and only in the memory of the page. */
export function ConnectLink({ label, url, expires_at }: ConnectLinkProps): ReactNode {
  const now = useNow()
  if (new Date(expires_at) <= now) return <Notice tone="warn">{words.expired}</Notice>
  return (
    <Notice tone="info" title={label} action={<Copy text={url} what={label} label={WORDS.copy} />}>
      <p>
        <code className={styles.url}>{url}</code>
      </p>
      <p>
        {words.expires} <Time at={expires_at} />. {words.once}
      </p>
    </Notice>
  )
}
