import { type ReactNode, useState } from 'react'
import { areaB } from '../../api/doors.ts'
import { getUserDetail, getWorkspace, previewLimits, setAllLimits } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Num } from '../../ui/number.tsx'
import { LimitForm, NoPreview, useBulkPreview } from './limit-form.tsx'
import { readLimit } from './limit-input.ts'
import { PreviewFigures } from './preview-figures.tsx'
import { WORDS } from './words.ts'

const { limits: words } = WORDS

const users = (count: number) => formatCount(count, words.user.one, words.user.other)

/** Sets the limit of all users. What it does is shown before, and again in the question. */
export function BulkLimit({ current }: { current: number | null }): ReactNode {
  const { why } = useMay('developer')
  const [text, setText] = useState('')
  const [checked, setChecked] = useState(false)
  const [asking, setAsking] = useState(false)
  const change = useChange(areaB(useWorkspaceId()), setAllLimits, {
    done: words.bulkDone,
    refresh: [getWorkspace, getUserDetail, previewLimits],
  })
  const limit = readLimit(text)
  const preview = useBulkPreview(limit)
  const data = preview.settled ? preview.data : undefined
  const run = async () => {
    if (limit === undefined) return false
    const done = await change.run({ body: { tasks_limit: limit } })
    if (done === undefined) return false
    setText('')
    setChecked(false)
    return true
  }
  return (
    <>
      <LimitForm
        now={[words.bulkNow, current === null ? words.bulkNever : <Num key="now" value={current} />]}
        text={text}
        error={checked && limit === undefined ? WORDS.setLimit.invalid : undefined}
        action={words.bulkSave}
        tone="bad"
        busy={change.running}
        why={why}
        onText={setText}
        onSubmit={() => {
          setChecked(true)
          setAsking(data !== undefined)
        }}
      >
        {limit === undefined ? null : data === undefined ? <NoPreview reading={preview} /> : <PreviewFigures preview={data} />}
      </LimitForm>
      {data !== undefined && limit !== undefined && (
        <Confirm
          open={asking}
          title={words.bulkConfirm}
          names={[
            words.bulkNames(users(data.users), formatNumber(limit), data.users === 1),
            ...(data.over_now === 0 ? [] : [words.bulkOver(users(data.over_now))]),
            data.notices === 0 ? WORDS.preview.noNotices : WORDS.preview.notices(data.notices),
          ].join(' ')}
          loses={data.changed === 0 ? [] : [words.bulkLoses(users(data.changed))]}
          action={words.bulkAction}
          run={run}
          error={change.error?.message}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
