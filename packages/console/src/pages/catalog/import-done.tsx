import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageLink } from '../../shell/links.tsx'
import { formatCount } from '../../text/format.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Row } from '../../ui/page.tsx'
import styles from './import.module.css'
import { IMPORT } from './import-words.ts'
import type { Stored } from './types.ts'

const { done: words, review } = IMPORT

/** What was stored. */
export function ImportDone({ stored, title, onAnother }: { stored: Stored; title: string; onAnother(): void }): ReactNode {
  const { name, functions, quarantined } = stored
  const countOf = (count: number) => formatCount(count, review.fn.one, review.fn.other)
  return (
    <div role="status">
      <Empty
        icon={<CircleCheck />}
        title={words.title(title)}
        help={words.help(countOf(functions))}
        action={
          <Row gap={2}>
            <Button onClick={onAnother}>{words.another}</Button>
            <PageLink page="catalog" path={encodeURIComponent(name)} className={buttonClass('accent')}>
              {words.open}
            </PageLink>
          </Row>
        }
      />
      {quarantined.length > 0 && (
        <Notice tone="warn" title={words.quarantined(countOf(quarantined.length))}>
          <ul className={styles.problems}>
            {quarantined.map(({ function: fn, problems }) => (
              <li key={fn}>
                <code>{fn}</code>: {problems.join('; ')}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
