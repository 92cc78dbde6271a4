import type { ReactNode } from 'react'
import type { OnwardError } from '../../api/request.ts'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Facts } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import styles from './import.module.css'
import { ImportOperations } from './import-operations.tsx'
import { IMPORT } from './import-words.ts'
import type { Preview } from './types.ts'
import { CATALOG } from './words.ts'

const { review: words } = IMPORT
const FIRST_REMOVED = 20

type ReviewProps = {
  preview: Preview
  chosen: ReadonlySet<string>
  busy: boolean
  error: OnwardError | undefined
  onChoose(chosen: ReadonlySet<string>): void
  onBack(): void
  onNext(): void
}

/** The second step: what became of the document, and the choice of operations. */
export function ImportReview({ preview, chosen, busy, error, onChoose, onBack, onNext }: ReviewProps): ReactNode {
  const { totals } = preview
  const figures = Object.keys(words.figures) as (keyof typeof words.figures)[]
  return (
    <>
      <Figures>
        {figures.map((name) => (
          <Figure key={name} name={words.figures[name]} value={<Num value={totals[name]} />} />
        ))}
      </Figures>
      <Group title={words.summary}>
        <Facts facts={factsOf(preview)} />
      </Group>
      {preview.warnings.length > 0 && (
        <Notice tone="info" title={words.warnings}>
          <ul className={styles.problems}>
            {preview.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      <Removed names={preview.removed} />
      <ImportOperations operations={preview.operations} chosen={chosen} onChoose={onChoose} />
      {error !== undefined && (
        <Notice tone="bad" title={IMPORT.document.failed}>
          {error.details.length === 0 && <p>{error.message}</p>}
          {error.details.map((detail) => (
            <p key={detail}>{detail}</p>
          ))}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button onClick={onBack}>{IMPORT.back}</Button>
        <Button tone="accent" busy={busy} why={chosen.size === 0 ? words.needsOne : undefined} onClick={onNext}>
          {words.next}
        </Button>
        <span className={styles.note} role="status">
          {words.chosen(formatNumber(chosen.size), formatNumber(totals.operations))}
        </span>
      </div>
    </>
  )
}

/** The functions of the stored app that the new one does not have. */
export function Removed({ names }: { names: readonly string[] }): ReactNode {
  if (names.length === 0) return null
  const shown = names.slice(0, FIRST_REMOVED)
  return (
    <Notice tone="warn" title={words.removed(formatCount(names.length, words.fn.one, words.fn.other))}>
      <p>{words.removedAbout}</p>
      <p className={styles.names}>
        {shown.join(', ')}
        {names.length > shown.length && ', …'}
      </p>
    </Notice>
  )
}

function factsOf({ openapi, replaces, base_url, hosts, auth, settings, servers }: Preview): readonly (readonly [ReactNode, ReactNode])[] {
  const unused = servers.filter(({ reason }) => reason !== null)
  const ways = auth.map(({ type, sends }) => `${CATALOG.auth[type] ?? type}${sends.length === 0 ? '' : ` (${sends.join(', ')})`}`)
  return [
    [words.version, openapi],
    [words.replaces, replaces === null ? words.replacesNone : words.replacesVersion(replaces)],
    [
      words.server,
      <div key="server" className={styles.lines}>
        <code>{base_url ?? words.account}</code>
        {unused.map(({ url, reason }) => (
          <span key={url} className={styles.note}>
            {url}: {reason}
          </span>
        ))}
      </div>,
    ],
    ...(hosts.length === 0 ? [] : [[words.hosts, <code key="hosts">{hosts.join(', ')}</code>] as const]),
    [words.auth, ways.length === 0 ? words.noAuth : ways.join(', ')],
    ...(settings.length === 0 ? [] : [[words.settings, settings.map(({ title }) => title).join(', ')] as const]),
  ]
}
