import { type ReactNode, useState } from 'react'
import { areaB } from '../../api/doors.ts'
import { getUserDetail, getWorkspace, setDefaultLimit } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { formatCount } from '../../text/format.ts'
import { Notice } from '../../ui/empty.tsx'
import { Num } from '../../ui/number.tsx'
import { LimitForm, NoPreview, useBulkPreview } from './limit-form.tsx'
import { readLimit } from './limit-input.ts'
import { WORDS } from './words.ts'

const { limits: words } = WORDS

/** Sets the limit of new users. Says how many users keep theirs. */
export function DefaultLimit({ current }: { current: number }): ReactNode {
  const { why } = useMay('developer')
  const [text, setText] = useState('')
  const [checked, setChecked] = useState(false)
  const change = useChange(areaB(useWorkspaceId()), setDefaultLimit, { done: words.defaultDone, refresh: [getWorkspace, getUserDetail] })
  const limit = readLimit(text)
  const preview = useBulkPreview(limit)
  const submit = async () => {
    setChecked(true)
    if (limit === undefined) return
    const done = await change.run({ body: { tasks_limit: limit } })
    if (done === undefined) return
    setText('')
    setChecked(false)
  }
  return (
    <LimitForm
      now={[words.defaultNow, <Num key="now" value={current} />]}
      text={text}
      error={checked && limit === undefined ? WORDS.setLimit.invalid : change.error?.message}
      action={words.defaultSave}
      tone="accent"
      busy={change.running}
      why={why}
      onText={setText}
      onSubmit={() => void submit()}
    >
      {limit === undefined ? null : limit === current ? (
        <Notice tone="info">{words.defaultSame}</Notice>
      ) : preview.data === undefined ? (
        <NoPreview reading={preview} />
      ) : (
        <Notice tone="info">
          {words.defaultPreview(formatCount(preview.data.users, words.user.one, words.user.other), preview.data.users === 1)}
        </Notice>
      )}
    </LimitForm>
  )
}
