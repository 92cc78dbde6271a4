import { type ReactNode, useEffect } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import styles from './ended-page.module.css'
import { isFramed } from './events.ts'
import { texts } from './texts.ts'

/** Why nothing is shown. `reloaded`: the address has no code, because the page was reloaded or its address was copied. */
export type Ended = 'expired' | 'invalid' | 'reloaded'

type Props = {
  why: Ended | 'failed'
  returnUrl: string | undefined
  help?: string
  action?: ReactNode
}

/** Says why there is nothing to see, and leads back to the application. */
export function EndedPage({ why, returnUrl, help, action }: Props): ReactNode {
  const t = texts()
  const title = t[why]
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <main className={styles.ended}>
      <div role="status" className={styles.text}>
        <h1>{title}</h1>
        <p>{help ?? (why === 'failed' ? '' : t[`${why}Help`])}</p>
      </div>
      <div className={styles.actions}>
        {action}
        {returnUrl !== undefined && (
          // The page of the application must not appear inside its own frame.
          <a className={buttonClass(action === undefined ? 'accent' : 'plain')} href={returnUrl} target="_top" rel="noreferrer">
            {t.return}
          </a>
        )}
        {/* The application redirected to the link, so its page is the one before in the history. */}
        {returnUrl === undefined && !isFramed() && history.length > 1 && (
          <Button tone={action === undefined ? 'accent' : 'plain'} onClick={() => history.back()}>
            {t.return}
          </Button>
        )}
      </div>
    </main>
  )
}
