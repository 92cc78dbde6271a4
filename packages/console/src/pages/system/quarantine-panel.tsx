import { ListChecks, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Facts, Row } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import type { Entry } from './quarantine-columns.tsx'
import { TEXT } from './words.ts'

const TEXTS = TEXT.quarantine

type PanelProps = {
  row: Entry | undefined
  busy: boolean
  onCount(rows: readonly Entry[]): void
  onDrop(rows: readonly Entry[]): void
}

/** One entry: why it could not be counted, what it holds, and what can be done with it. */
export function EntryPanel({ row, busy, onCount, onDrop }: PanelProps): ReactNode {
  if (row === undefined) return <Empty title={TEXTS.gone} help={TEXTS.goneHelp} />
  return (
    <>
      <Notice tone="warn" title={row.reason}>
        {TEXTS.helpText}
      </Notice>
      <Row>
        <Button icon={<ListChecks />} busy={busy} title={TEXTS.countHelp} onClick={() => onCount([row])}>
          {TEXTS.count}
        </Button>
      </Row>
      <Facts
        facts={[
          [TEXTS.application, row.app_key ?? '–'],
          [TEXTS.since, <Time key="at" at={row.created_at} as="exact" />],
          [TEXTS.job, <Id key="job" value={row.job_id} what={TEXTS.job} full />],
        ]}
      />
      <JsonView value={parsed(row.event)} label={TEXTS.event} open={4} />
      <Row>
        <Button tone="bad" icon={<Trash2 />} onClick={() => onDrop([row])}>
          {TEXTS.drop}
        </Button>
      </Row>
    </>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
