import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { dropQuarantined } from '../../api/endpoints.ts'
import { OnwardError } from '../../api/request.ts'
import { send } from '../../api/send.ts'
import { formatCount } from '../../text/format.ts'
import { Confirm } from '../../ui/dialog.tsx'
import type { Entry } from './quarantine-columns.tsx'
import { TEXT } from './words.ts'

const TEXTS = TEXT.quarantine

type DropProps = { rows: readonly Entry[]; onClose(): void; onDone(removed: number): void }

/** Removes entries without counting them, after asking. */
export function DropEntries({ rows, onClose, onDone }: DropProps): ReactNode {
  const [error, setError] = useState<string | undefined>(undefined)
  const remove = async () => {
    let removed = 0
    try {
      for (const { id } of rows) {
        await send(insights, dropQuarantined, { params: { id: String(id) } }).catch(ignoreGone)
        removed++
      }
    } catch (err) {
      if (!(err instanceof OnwardError)) throw err
      setError(err.message)
    }
    if (removed > 0) onDone(removed)
    return removed === rows.length
  }
  return (
    <Confirm
      open
      title={TEXTS.dropTitle(formatCount(rows.length, TEXTS.entry.one, TEXTS.entry.other))}
      names={TEXTS.dropNames}
      loses={TEXTS.dropLoses(formatCount(rows.length, TEXTS.task.one, TEXTS.task.other))}
      action={TEXTS.drop}
      run={remove}
      onClose={onClose}
      error={error}
    />
  )
}

/** Another operator may have removed the entry, or it was counted. */
function ignoreGone(err: unknown): void {
  if (!(err instanceof OnwardError && err.status === 404)) throw err
}
