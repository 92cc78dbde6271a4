import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { listCatalog, putApp, readCatalogApp } from '../../api/endpoints.ts'
import { useChange } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import styles from './import.module.css'
import { Removed } from './import-review.tsx'
import { IMPORT } from './import-words.ts'
import type { Preview, Stored } from './types.ts'

const { store: words, review } = IMPORT

/** The last step: says once more what is stored, and stores it. */
export function ImportStore({
  preview,
  onBack,
  onStored,
}: {
  preview: Preview
  onBack(): void
  onStored(stored: Stored): void
}): ReactNode {
  const refreshList = useRefreshList()
  const put = useChange(functions, putApp, { refresh: [listCatalog, readCatalogApp] })
  const { name, title, file, totals, removed, base_url, replaces } = preview
  const made = preview.operations.filter(({ outcome }) => outcome !== 'skipped')
  const destructive = made.filter((one) => one.destructive).length
  const store = async () => {
    if (file === null) return
    const stored = await put.run({ params: { name }, body: { file } })
    if (stored === undefined) return
    refreshList('catalog')
    onStored(stored)
  }
  const functionsText = formatCount(made.length, review.fn.one, review.fn.other)
  return (
    <>
      <Group title={`${title} (${name})`} about={words.about}>
        <Card>
          <Facts
            facts={[
              [review.replaces, replaces === null ? review.replacesNone : review.replacesVersion(replaces)],
              [words.functions, formatNumber(made.length)],
              [words.destructive, formatNumber(destructive)],
              [words.skipped, formatNumber(totals.operations - made.length)],
              [words.removed, formatNumber(removed.length)],
              [review.server, <code key="server">{base_url ?? review.account}</code>],
            ]}
          />
        </Card>
      </Group>
      <Removed names={removed} />
      {file === null && <Notice tone="bad">{preview.warnings.join(' ')}</Notice>}
      {put.error !== undefined && (
        <Notice tone="bad" title={words.failed}>
          <p>{put.error.message}</p>
          {put.error.details.slice(0, 20).map((detail) => (
            <p key={detail}>{detail}</p>
          ))}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button onClick={onBack}>{IMPORT.back}</Button>
        <Button tone="accent" busy={put.running} why={file === null ? review.needsOne : undefined} onClick={() => void store()}>
          {words.button(functionsText)}
        </Button>
      </div>
    </>
  )
}
