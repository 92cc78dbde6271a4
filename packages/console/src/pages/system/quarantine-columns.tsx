import type { listQuarantine, ResponseOf } from '@onward/contract'
import type { ExportedColumn } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { TEXT } from './words.ts'

const TEXTS = TEXT.quarantine

/** An entry of quarantine. */
export type Entry = ResponseOf<typeof listQuarantine>['quarantined'][number]

export const COLUMNS: readonly ExportedColumn<Entry>[] = [
  {
    id: 'reason',
    head: TEXTS.reason,
    width: 'grow',
    phone: 'title',
    cell: ({ reason }) => <span title={reason}>{reason}</span>,
    text: ({ reason }) => reason,
  },
  {
    id: 'app_key',
    head: TEXTS.application,
    width: 220,
    phone: 'line',
    cell: ({ app_key: key }) => key ?? '–',
    text: ({ app_key: key }) => key ?? '',
  },
  timeColumn({ id: 'created_at', head: TEXTS.since, phone: 'line', as: 'short', at: ({ created_at: at }) => at }),
  {
    id: 'job_id',
    head: TEXTS.job,
    width: 200,
    phone: 'hide',
    cell: ({ job_id: job }) => <span title={job}>{job}</span>,
    text: ({ job_id: job }) => job,
  },
]
