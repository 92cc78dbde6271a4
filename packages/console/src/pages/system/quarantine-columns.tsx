import type { Answer, listQuarantine } from '@onward/contract'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { TEXT } from './words.ts'

const TEXTS = TEXT.quarantine

/** An entry of quarantine. */
export type Entry = Answer<typeof listQuarantine>['quarantined'][number]

export const COLUMNS: readonly Column<Entry>[] = [
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
  {
    id: 'created_at',
    head: TEXTS.since,
    width: 190,
    phone: 'line',
    cell: ({ created_at: at }) => <Time at={at} as="short" />,
    text: ({ created_at: at }) => at,
  },
  {
    id: 'job_id',
    head: TEXTS.job,
    width: 200,
    phone: 'hide',
    cell: ({ job_id: job }) => <span title={job}>{job}</span>,
    text: ({ job_id: job }) => job,
  },
]
