import { type ReactNode, useEffect } from 'react'
import { buttonClass } from '../ui/button.tsx'
import styles from './ended-page.module.css'
import { EMBED_WORDS } from './words.ts'

const { ended: WORDS } = EMBED_WORDS

/** Why nothing is shown. `reloaded`: the address has no code, because the page was reloaded or its address was copied. */
export type Ended = 'expired' | 'invalid' | 'reloaded'

const TEXTS = {
  expired: [WORDS.expired, WORDS.expiredHelp],
  invalid: [WORDS.invalid, WORDS.invalidHelp],
  reloaded: [WORDS.reloaded, WORDS.reloadedHelp],
  failed: [WORDS.failed, ''],
} as const

type Props = {
  why: Ended | 'failed'
  returnUrl: string | undefined
  help?: string
  action?: ReactNode
}

/** Says why there is nothing to see, and leads back to the application. */
export function EndedPage({ why, returnUrl, help, action }: Props): ReactNode {
  const [title, ownHelp] = TEXTS[why]
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <main className={styles.ended}>
      <div role="status" className={styles.text}>
        <h1>{title}</h1>
        <p>{help ?? ownHelp}</p>
      </div>
      <div className={styles.actions}>
        {action}
        {returnUrl !== undefined && (
          // The page of the application must not appear inside its own frame.
          <a className={buttonClass(action === undefined ? 'accent' : 'plain')} href={returnUrl} target="_top" rel="noreferrer">
            {WORDS.return}
          </a>
        )}
      </div>
    </main>
  )
}
