import type { ReactNode } from 'react'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import type { Clash } from '../ui/draft.ts'
import { Notice } from '../ui/empty.tsx'
import { Row, Stack } from '../ui/page.tsx'
import styles from './settings-form.module.css'

type ClashesProps = {
  clashes: readonly Clash[]
  /** The labels of the fields. */
  labels: Readonly<Record<string, string>>
  keep(): void
  reset(): void
}

const { clash: words } = WORDS.form

/** What somebody else has stored since the reader began, beside what the reader entered. The reader chooses. */
export function Clashes({ clashes, labels, keep, reset }: ClashesProps): ReactNode {
  if (clashes.length === 0) return null
  return (
    <Notice tone="warn" alert title={words.title}>
      <Stack gap={3}>
        <Row>
          <Button size="small" onClick={keep}>
            {words.keep}
          </Button>
          <Button size="small" onClick={reset}>
            {words.take}
          </Button>
        </Row>
        {clashes.map(({ name, mine, stored }) => (
          <dl key={name} className={styles.clash}>
            <Value name={words.stored(labels[name] ?? name)} value={stored} />
            <Value name={words.mine(labels[name] ?? name)} value={mine} />
          </dl>
        ))}
      </Stack>
    </Notice>
  )
}

function Value({ name, value }: { name: string; value: unknown }): ReactNode {
  const text = typeof value === 'boolean' ? (value ? words.yes : words.no) : String(value)
  return (
    <div>
      <dt>{name}</dt>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls, which the arrow keys do too */}
      <dd tabIndex={0}>{text === '' ? words.empty : text}</dd>
    </div>
  )
}

/** Returns the part of a body that lets the service refuse it if a value that it replaces is no longer as it was read. */
export function ifUnchanged<Read extends object, Body extends object>(read: Read, body: Body): { if_unchanged: Partial<Read> } {
  const names = Object.keys(body).filter((name): name is keyof Read & string => name in read)
  return { if_unchanged: Object.fromEntries(names.map((name) => [name, read[name]])) as Partial<Read> }
}
